package bench

import (
	"fmt"
	"testing"
	"time"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// benchChildren is how many subagents work at once.
const benchChildren = 5

// BenchmarkAimSpawn has one answer ask for five subagents that are waited for, and takes
// the time from its last byte to the last one's request, in each protocol; and what each
// of them costs in memory while it is being answered.
func BenchmarkAimSpawn(b *testing.B) {
	for _, p := range modeltest.Protocols() {
		var times, memory []float64
		for range benchRuns {
			server := serveBench(b, p, delegating(p, modeltest.Delegate, benchChildren, modeltest.Spell(p, modeltest.Reply{Text: []string{"жworksж", "never"}}), nil, nil))
			x := server.open(b, b.TempDir())
			x.askFor(lastLine)
			before := memoryOf(x.cmd.Process.Pid, "RssAnon")
			x.press("go" + harness.KeyEnter)
			var last time.Time
			for i := range benchChildren {
				last = server.await(b, false, i).at
			}
			times = append(times, milliseconds(last.Sub(<-server.await(b, true, 1).said)))
			x.settle(300 * time.Millisecond)
			memory = append(memory, (memoryOf(x.cmd.Process.Pid, "RssAnon")-before)/benchChildren)
			x.leave()
		}
		measured(b, aimSpawn, p.Name, times...)
		measured(b, aimChild, p.Name, memory...)
	}
}

// delegating is a parent that says one line, then asks for subagents, and then has no
// more to say; each subagent gets an answer that is held back, if never does not end.
func delegating(p modeltest.Protocol, how func(description, prompt string) modeltest.Call, children int, child modeltest.Spelt, release <-chan struct{}, every *time.Duration) func(benchAsked) benchAnswer {
	hello := modeltest.Spell(p, modeltest.Reply{Text: []string{lastLine}})
	done := modeltest.Spell(p, modeltest.Reply{Text: []string{"жtheyrunж"}})
	var calls []modeltest.Call
	for i := range children {
		calls = append(calls, how(fmt.Sprintf("busy number %d", i), "talk"))
	}
	asks := modeltest.Spell(p, modeltest.Reply{Calls: calls})
	return func(a benchAsked) benchAnswer {
		switch {
		case !a.parent && every != nil:
			return benchAnswer{Spelt: child, every: *every}
		case !a.parent:
			return benchAnswer{Spelt: child, hold: release, held: true}
		case a.turn == 0:
			return benchAnswer{Spelt: hello}
		case a.turn == 1:
			return benchAnswer{Spelt: asks}
		}
		return benchAnswer{Spelt: done}
	}
}

// BenchmarkAimStop presses Esc while subagents are being answered.
func BenchmarkAimStop(b *testing.B) {
	p := modeltest.Protocols()[0]
	var times []float64
	for range benchRuns {
		server := serveBench(b, p, delegating(p, modeltest.Delegate, benchChildren, modeltest.Spell(p, modeltest.Reply{Text: []string{"жworksж", "never"}}), nil, nil))
		x := server.open(b, b.TempDir())
		x.askFor(lastLine)
		x.press("go" + harness.KeyEnter)
		for i := range benchChildren {
			server.await(b, false, i)
		}
		x.settle(300 * time.Millisecond)
		pressed := x.press(harness.KeyEsc)
		for i := range benchChildren {
			times = append(times, milliseconds((<-server.await(b, false, i).left).Sub(pressed)))
		}
		x.leave()
	}
	measured(b, aimStop, "", times...)
}

// openFor is open for a session in which so many subagents may work in the background, or as many as
// the setting can say.
func (s *benchServer) openFor(b *testing.B, home string, subagents int) *tube {
	b.Helper()
	return openTube(b, benchFolder(b), append(s.environ(home), fmt.Sprint("PAWL_SUBAGENTS_MAX_BACKGROUND=", min(subagents, 100))), "--model", s.protocol.Model)
}

// begin opens the program, lets its parent send so many subagents to the background, and waits until
// each of them asks.
func (s *benchServer) begin(b *testing.B, home string, subagents int) *tube {
	b.Helper()
	x := s.openFor(b, home, subagents)
	x.askFor(lastLine)
	from := x.written()
	x.press("go" + harness.KeyEnter)
	x.await("жtheyrunж", from)
	s.await(b, false, subagents-1)
	return x
}

// BenchmarkAimWake lets the subagents in the background end while the parent is idle, all
// at once: it is woken by the first, or by several, and asks.
func BenchmarkAimWake(b *testing.B) {
	p := modeltest.Protocols()[0]
	var times []float64
	for range benchRuns {
		release := make(chan struct{})
		server := serveBench(b, p, delegating(p, modeltest.Launch, benchChildren, modeltest.Spell(p, modeltest.Reply{Text: []string{"жworksж", "done"}}), release, nil))
		x := server.begin(b, b.TempDir(), benchChildren)
		x.settle(300 * time.Millisecond)
		close(release)
		first := <-server.await(b, false, 0).said
		for i := 1; i < benchChildren; i++ {
			if at := <-server.await(b, false, i).said; at.Before(first) {
				first = at
			}
		}
		times = append(times, milliseconds(server.await(b, true, 3).at.Sub(first)))
		x.leave()
	}
	measured(b, aimWake, "", times...)
}

// BenchmarkAimKey types while five subagents are told 1,000 tokens a second each.
func BenchmarkAimKey(b *testing.B) {
	p := modeltest.Protocols()[0]
	pace := time.Millisecond
	answer := modeltest.Spell(p, modeltest.Reply{Text: tokens(6000)})
	var usual, late []float64
	for range benchRuns {
		server := serveBench(b, p, delegating(p, modeltest.Launch, benchChildren, answer, nil, &pace))
		x := server.begin(b, b.TempDir(), benchChildren)
		waits := x.typeFast("")
		usual, late = append(usual, percentile(waits, 0.5)), append(late, percentile(waits, 0.99))
		x.leave()
	}
	measured(b, aimKey, "p50", usual...)
	measured(b, aimKey, "p99", late...)
}

// typeFast types letters that were never on the screen, as a very fast typist, in no step with
// the frames, and takes how many milliseconds each needs to get there. before is pressed ahead
// of each; empty: nothing is.
func (x *tube) typeFast(before string) (waits []float64) {
	for i := range 60 {
		if before != "" {
			x.press(before)
		}
		<-time.After(time.Duration(45+i*7%17) * time.Millisecond)
		letter := string(rune('ѐ' + i))
		from := x.written()
		pressed := x.press(letter)
		waits = append(waits, milliseconds(x.await(letter, from).at.Sub(pressed)))
	}
	return waits
}

// dashboardRuns is how many runs the dashboard has, the busy ones and the parent's among them.
const dashboardRuns = 200

// ctrlU empties the filter.
const ctrlU = "\x15"

// BenchmarkAimDashboardKey types into the filter of a dashboard of 200 runs while five of them are
// told 1,000 tokens a second each. Before each letter the filter is emptied, so that all rows are
// there again.
func BenchmarkAimDashboardKey(b *testing.B) {
	p := modeltest.Protocols()[0]
	const quick, batch = dashboardRuns - benchChildren - 1, 16
	brief := modeltest.Spell(p, modeltest.Reply{Text: []string{"done"}})
	busy := modeltest.Spell(p, modeltest.Reply{Text: tokens(6000)})
	hello := modeltest.Spell(p, modeltest.Reply{Text: []string{lastLine}})
	they := modeltest.Spell(p, modeltest.Reply{Text: []string{"жtheyrunж"}})
	calls := func(how func(description, prompt string) modeltest.Call, from, to int) modeltest.Spelt {
		var all []modeltest.Call
		for i := from; i < to; i++ {
			all = append(all, how(fmt.Sprintf("job number %d", i), "talk"))
		}
		return modeltest.Spell(p, modeltest.Reply{Calls: all})
	}
	answer := func(a benchAsked) benchAnswer {
		begun := (a.turn - 1) * batch
		switch {
		case !a.parent && a.turn < quick:
			return benchAnswer{Spelt: brief}
		case !a.parent:
			return benchAnswer{Spelt: busy, every: time.Millisecond}
		case a.turn == 0:
			return benchAnswer{Spelt: hello}
		case begun < quick:
			return benchAnswer{Spelt: calls(modeltest.Delegate, begun, min(quick, begun+batch))}
		case begun-batch < quick:
			return benchAnswer{Spelt: calls(modeltest.Launch, quick, quick+benchChildren)}
		}
		return benchAnswer{Spelt: they}
	}
	var usual, late []float64
	for range benchRuns {
		server := serveBench(b, p, answer)
		x := server.begin(b, b.TempDir(), dashboardRuns-1)
		from := x.written()
		x.press(harness.KeyCtrlT)
		x.await("Dashboard", from)
		x.press("/")
		waits := x.typeFast(ctrlU)
		usual, late = append(usual, percentile(waits, 0.5)), append(late, percentile(waits, 0.99))
		x.leave()
	}
	measured(b, aimDashboard, "p50", usual...)
	measured(b, aimDashboard, "p99", late...)
}
