package bench

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// ctrlBackslash detaches a screen.
const ctrlBackslash = "\x1c"

// detach leaves the session to its host, and waits until the terminal is given back.
func (x *tube) detach() {
	x.press(ctrlBackslash)
	x.end()
}

// attach opens a screen on a session that a host drives.
func (s *benchServer) attach(tb testing.TB, home string, args ...string) *tube {
	tb.Helper()
	return openTube(tb, benchFolder(tb), s.environ(home), append([]string{"attach"}, args...)...)
}

// hosted are the ids of the sessions of a home that hosts drive.
func hosted(home string) (ids []string) {
	sockets, _ := filepath.Glob(filepath.Join(home, "state", "run", "[0-9a-f]*.sock")) // the pattern is valid
	for _, socket := range sockets {
		ids = append(ids, strings.TrimSuffix(filepath.Base(socket), ".sock"))
	}
	return ids
}

// homeOfHosts is a home whose hosts end with the benchmark.
func homeOfHosts(b *testing.B) string {
	b.Helper()
	home := b.TempDir()
	b.Cleanup(func() { (&harness.Stage{Home: home}).EndHosts(b) })
	return home
}

// BenchmarkAimAttach attaches to a session in which five subagents are told ten tokens a second each,
// by its id and as the one of this folder.
func BenchmarkAimAttach(b *testing.B) {
	p := modeltest.Protocols()[0]
	slow := 100 * time.Millisecond
	server := serveBench(b, p, delegating(p, modeltest.Launch, benchChildren, modeltest.Spell(p, modeltest.Reply{Text: tokens(6000)}), nil, &slow))
	home := homeOfHosts(b)
	x := server.begin(b, home, benchChildren)
	id := hosted(home)
	require.Len(b, id, 1)
	x.detach()
	measure := func(row string, args ...string) {
		var times []float64
		for range 4 * benchRuns {
			x := server.attach(b, home, args...)
			whole := x.await("5 of 5 slots", x.await(alternateScreen, 0).end) // its last line
			times = append(times, milliseconds(whole.at.Sub(x.begun)))
			x.detach()
		}
		measured(b, row, "", times...)
	}
	measure(aimAttach, id...)
	measure(aimAttachHere)
}

// BenchmarkAimScreens has 200 tokens a second said for 10 s to a session that one screen shows, or
// five. What a terminal costs is what one screen adds to a session that none shows.
func BenchmarkAimScreens(b *testing.B) {
	var none, one, five, times, shares []float64
	for range benchRuns {
		none, one, five = append(none, workOfScreens(b, 0)), append(one, workOfScreens(b, 1)), append(five, workOfScreens(b, 5))
	}
	alone := percentile(one, 0.5)
	terminal := alone - percentile(none, 0.5)
	for _, all := range five {
		times, shares = append(times, all/(alone+4*terminal)), append(shares, (all-alone)/4)
	}
	measured(b, aimScreens, "", times...)
	measured(b, aimScreen, "", shares...)
}

// workOfScreens is the processor time, in seconds, that such an answer takes of a host and of the fronts of its
// screens. A subagent that is held keeps the host where there is no screen.
func workOfScreens(b *testing.B, screens int) (seconds float64) {
	b.Helper()
	p := modeltest.Protocols()[0]
	answer := benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Text: tokens(2000)}), every: 5 * time.Millisecond}
	begins := delegating(p, modeltest.Launch, 1, modeltest.Spell(p, modeltest.Reply{Text: []string{"жworksж", "never"}}), nil, nil)
	const answered = 3 // turns of the parent before
	server := serveBench(b, p, func(a benchAsked) benchAnswer {
		if a.parent && a.turn == answered {
			return answer
		}
		return begins(a)
	})
	home := b.TempDir()
	defer (&harness.Stage{Home: home}).EndHosts(b)
	x := server.begin(b, home, 1)
	pids := family(x.cmd.Process.Pid)
	for range screens - 1 {
		y := server.attach(b, home)
		y.await("slots", y.await(alternateScreen, 0).end)
		pids = append(pids, y.cmd.Process.Pid)
	}
	x.settle(300 * time.Millisecond)
	x.press("go" + harness.KeyEnter)
	asked := server.await(b, true, answered)
	if screens == 0 {
		x.detach()
	}
	spent := workOf(pids)
	<-asked.said
	<-time.After(200 * time.Millisecond) // the last frame
	return (workOf(pids) - spent).Seconds()
}

// workOf is what processes have used so far, without those below them.
func workOf(pids []int) (sum time.Duration) {
	for _, pid := range pids {
		sum += processorTime(pid)
	}
	return sum
}

// What the fleet shows: so many sessions in the database, and so many that hosts drive.
const (
	fleetSessions = 1000
	fleetHosts    = 50
)

// BenchmarkAimFleet opens the screen over all sessions, and leaves it alone.
func BenchmarkAimFleet(b *testing.B) {
	p := modeltest.Protocols()[0]
	held := benchAnswer{Spelt: modeltest.Spell(p, modeltest.Reply{Text: []string{"жworksж", "never"}}), held: true}
	server := serveBench(b, p, func(benchAsked) benchAnswer { return held })
	home := homeOfHosts(b)
	writeSessions(b, home, fleetSessions, "One answer.")
	for i := range fleetHosts {
		runFor(b, server.environ(home), benchFolder(b), "-p", "--detach", "--model", p.Model, "go")
		server.await(b, true, i)
	}
	require.Len(b, hosted(home), fleetHosts)
	var times []float64
	for range benchRuns {
		x := openTube(b, benchFolder(b), server.environ(home), "fleet")
		first := x.await(" sessions", x.await(alternateScreen, 0).end)
		times = append(times, milliseconds(first.at.Sub(x.begun)))
		x.leave()
	}
	measured(b, aimFleet, "", times...)
	x := openTube(b, benchFolder(b), server.environ(home), "fleet")
	x.await(" sessions", 0)
	x.settle(3 * time.Second) // the start has a row of its own
	var work []float64
	for range benchRuns {
		pids := family(x.cmd.Process.Pid)
		spent := workOf(pids)
		<-time.After(5 * time.Second)
		work = append(work, milliseconds(workOf(pids)-spent))
	}
	measured(b, aimFleetRest, "", work...)
}
