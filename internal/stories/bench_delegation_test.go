package stories

import (
	"fmt"
	"testing"
	"time"
)

// benchChildren is how many subagents work at once.
const benchChildren = 5

// BenchmarkAimSpawn has one answer ask for five subagents that are waited for, and takes
// the time from its last byte to the last one's request, in each protocol; and what each
// of them costs in memory while it is being answered.
func BenchmarkAimSpawn(b *testing.B) {
	for _, p := range protocols() {
		var times, memory []float64
		for range benchRuns {
			server := serveBench(b, p, delegating(p, delegate, benchChildren, spell(p, reply{text: []string{"жworksж", "never"}}), nil, nil))
			x := server.open(b, b.TempDir())
			x.askFor(lastLine)
			before := memoryOf(x.cmd.Process.Pid, "VmRSS")
			x.press("go" + keyEnter)
			var last time.Time
			for i := range benchChildren {
				last = server.await(b, false, i).at
			}
			times = append(times, milliseconds(last.Sub(<-server.await(b, true, 1).said)))
			x.settle(300 * time.Millisecond)
			memory = append(memory, (memoryOf(x.cmd.Process.Pid, "VmRSS")-before)/benchChildren)
			x.leave()
		}
		measured(b, aimSpawn, p.name, times...)
		measured(b, aimChild, p.name, memory...)
	}
}

// delegating is a parent that says one line, then asks for subagents, and then has no
// more to say; each subagent gets an answer that is held back, if never does not end.
func delegating(p protocol, how func(description, prompt string) call, children int, child spelt, release <-chan struct{}, every *time.Duration) func(benchAsked) benchAnswer {
	hello := spell(p, reply{text: []string{lastLine}})
	done := spell(p, reply{text: []string{"жtheyrunж"}})
	var calls []call
	for i := range children {
		calls = append(calls, how(fmt.Sprintf("busy number %d", i), "talk"))
	}
	asks := spell(p, reply{calls: calls})
	return func(a benchAsked) benchAnswer {
		switch {
		case !a.parent && every != nil:
			return benchAnswer{spelt: child, every: *every}
		case !a.parent:
			return benchAnswer{spelt: child, hold: release, held: true}
		case a.turn == 0:
			return benchAnswer{spelt: hello}
		case a.turn == 1:
			return benchAnswer{spelt: asks}
		}
		return benchAnswer{spelt: done}
	}
}

// BenchmarkAimStop presses Esc while subagents are being answered.
func BenchmarkAimStop(b *testing.B) {
	p := protocols()[0]
	var times []float64
	for range benchRuns {
		server := serveBench(b, p, delegating(p, delegate, benchChildren, spell(p, reply{text: []string{"жworksж", "never"}}), nil, nil))
		x := server.open(b, b.TempDir())
		x.askFor(lastLine)
		x.press("go" + keyEnter)
		for i := range benchChildren {
			server.await(b, false, i)
		}
		x.settle(300 * time.Millisecond)
		pressed := x.press(keyEsc)
		for i := range benchChildren {
			times = append(times, milliseconds((<-server.await(b, false, i).left).Sub(pressed)))
		}
		x.leave()
	}
	measured(b, aimStop, "", times...)
}

// BenchmarkAimWake lets the subagents in the background end while the parent is idle, all
// at once: it is woken by the first, or by several, and asks.
func BenchmarkAimWake(b *testing.B) {
	p := protocols()[0]
	var times []float64
	for range benchRuns {
		release := make(chan struct{})
		server := serveBench(b, p, delegating(p, launch, benchChildren, spell(p, reply{text: []string{"жworksж", "done"}}), release, nil))
		x := server.open(b, b.TempDir())
		x.askFor(lastLine)
		from := x.written()
		x.press("go" + keyEnter)
		x.await("жtheyrunж", from)
		server.await(b, false, benchChildren-1)
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
	p := protocols()[0]
	pace := time.Millisecond
	answer := spell(p, reply{text: tokens(6000)})
	var usual, late []float64
	for range benchRuns {
		var waits []float64
		server := serveBench(b, p, delegating(p, launch, benchChildren, answer, nil, &pace))
		x := server.open(b, b.TempDir())
		x.askFor(lastLine)
		from := x.written()
		x.press("go" + keyEnter)
		x.await("жtheyrunж", from)
		server.await(b, false, benchChildren-1)
		for i := range 60 { // a very fast typist, in no step with the frames
			<-time.After(time.Duration(45+i*7%17) * time.Millisecond)
			letter := string(rune('ѐ' + i)) // one that was never on the screen
			from := x.written()
			pressed := x.press(letter)
			waits = append(waits, milliseconds(x.await(letter, from).at.Sub(pressed)))
		}
		usual, late = append(usual, percentile(waits, 0.5)), append(late, percentile(waits, 0.99))
		x.leave()
	}
	measured(b, aimKey, "p50", usual...)
	measured(b, aimKey, "p99", late...)
}
