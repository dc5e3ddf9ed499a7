package lifecycle

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pawl/internal/soaktest"
)

// Whatever people, models and disks do, in whatever order: after each act the log
// is sound and nothing that may go on stands still. Acts are drawn first and
// played then, so that what fails shrinks; what it shrinks to becomes a table
// test.

// act is one thing that somebody does. Who and At choose among what there is.
type act struct {
	Do  string
	Who int
	At  int
}

// acts are what can happen; the more often it is named, the more often it does.
var acts = []string{
	"send", "send", "send to child", "send to child", "edit", "move", "withdraw",
	"launch", "launch", "launch", "launch", "delegate", "delegate", "delegate", "resume",
	"launch far", "launch far", "launch far", "delegate far", "lose", "lose", "restart",
	"shell", "shell", "shell", "shell output", "shell kill", "stop shell", "own shell", "own shell", "own shell in child",
	"step", "step", "say",
	"finish", "finish", "finish", "finish root", "finish root", "empty", "fail", "panic",
	"stop", "stop root", "stop foreground", "stop all", "agent stop", "agent stop",
	"detach", "detach all", "agent output", "agent output", "agent send",
	"ask", "ask", "answer", "answer", "grant", "leave", "continue", "compact", "compact",
	"fault", "fault once", "heal", "heal", "unable", "able", "able", "stubborn", "docile",
	"pass", "pass a moment", "pass long", "trespass", "crash",
}

func TestAnyOrderOfActsKeepsTheInvariants(t *testing.T) {
	quietly(t)
	gen := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) act {
		return act{rapid.SampledFrom(acts).Draw(r, "do"), rapid.IntRange(0, 9).Draw(r, "who"), rapid.IntRange(0, 3).Draw(r, "at")}
	}), 30, 120)
	sequences := 0
	rapid.Check(t, func(r *rapid.T) { // a hundred sequences; -rapid.checks makes them many
		sequences++
		if err := play(t, gen.Draw(r, "acts")); err != nil {
			r.Log(err)
			r.Fatal("an invariant is broken") // the same words each time, or nothing would shrink
		}
	})
	soaktest.Tried(t, sequences, "sequences of 30 to 120 acts beside a model, in virtual time")
}

// What a run of the test above found, as it shrank.
func TestOrdersOfActsThatOnceBrokeAnInvariant(t *testing.T) {
	quietly(t)
	for name, script := range map[string][]act{
		"a question while a parent is about to be woken": {
			{"send", 0, 0}, {"shell", 3, 2}, {"launch", 0, 1}, {"stop shell", 5, 0}, {"finish root", 1, 1}, {"ask", 0, 0}, {"answer", 0, 0},
		},
		"a run elsewhere that was stopped, whose end was not saved, and that another followed before a crash": {
			{"send", 1, 3}, {"launch far", 1, 3}, {"stubborn", 0, 2}, {"agent stop", 1, 0}, {"resume", 2, 0}, {"agent stop", 0, 1},
			{"fault", 9, 1}, {"pass long", 0, 1}, {"heal", 1, 3}, {"send to child", 2, 1}, {"crash", 1, 2},
		},
		"a run elsewhere that a person began, the parent wrote to, and a later process saw end": {
			{"send", 0, 0},
			{"delegate far", 3, 0},
			{"lose", 0, 3},
			{"send to child", 5, 0},
			{"agent send", 8, 2},
			{"delegate far", 0, 1},
			{"send to child", 0, 0},
			{"shell", 0, 3},
			{"send", 0, 0},
			{"stop root", 3, 1},
			{"crash", 2, 0},
			{"send", 9, 0},
			{"move", 0, 1},
			{"lose", 1, 0},
			{"send", 7, 2},
			{"send", 6, 1},
			{"agent output", 5, 1},
			{"send", 7, 1},
			{"send to child", 9, 2},
			{"fault", 0, 0},
			{"agent output", 7, 3},
			{"send", 0, 1},
			{"agent send", 6, 1},
			{"launch", 9, 0},
			{"pass long", 2, 2},
			{"restart", 5, 0},
		},
	} {
		t.Run(name, func(t *testing.T) { require.NoError(t, play(t, script)) })
	}
}

// quietly keeps panics and faults that a test wants out of its output.
func quietly(t *testing.T) {
	before := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(before) })
}

// play plays acts in virtual time and returns what they broke.
func play(t *testing.T, script []act) (broken error) {
	synctest.Test(t, func(t *testing.T) {
		judge := &judge{T: t}
		th := &harness{stage: &stage{t: judge, journal: newMemory()}, workers: map[RunID]*scriptedWorker{}, far: map[RunID]*process{}, want: map[RunID]State{}, texts: map[MessageID]string{}, log: newReading()}
		defer func() {
			if r := recover(); r != nil && r != any(judge) {
				panic(r)
			}
			broken = judge.err
			th.journal.heals()
			_ = th.s.Close(context.Background(), CauseQuit)
		}()
		th.begin()
		for i, a := range script {
			judge.now = fmt.Sprintf("act %d, %v", i, a)
			th.perform(a)
			synctest.Wait()
			th.check()
		}
		th.end()
	})
	return broken
}

// judge is a testing.TB whose verdict can be taken back by a shorter failure.
type judge struct {
	*testing.T
	now string
	err error
}

func (j *judge) Errorf(format string, args ...any) {
	if j.err == nil {
		j.err = fmt.Errorf("%s: %s", j.now, fmt.Sprintf(format, args...))
	}
}

func (j *judge) FailNow() { panic(j) }

func (th *harness) perform(a act) {
	switch a.Do {
	case "own shell", "own shell in child":
		th.runShell(a)
	case "send", "send to child", "edit", "move", "withdraw":
		th.write(a)
	case "launch", "delegate", "launch far", "delegate far", "resume", "agent stop", "agent output", "agent send":
		th.delegate(a)
	case "step", "say", "finish", "finish root", "empty", "fail", "panic", "ask", "trespass":
		th.direct(a)
	case "shell", "shell output", "shell kill":
		th.background(a)
	case "stop", "stop root", "stop foreground", "stop all", "stop shell":
		th.halt(a)
	case "detach", "detach all", "answer", "grant", "leave", "continue", "compact":
		th.decide(a)
	default:
		th.befall(a)
	}
}

// befall is what nobody decides.
func (th *harness) befall(a act) {
	switch a.Do {
	case "fault":
		th.faults++
		th.journal.fails(-1)
	case "fault once":
		th.faults++
		th.journal.fails(1 + a.At)
	case "heal":
		th.journal.heals()
		th.pass(3 * retryAfter)
	case "unable", "able":
		th.guard.Lock()
		th.unable = a.Do == "unable"
		th.guard.Unlock()
	case "stubborn", "docile":
		th.guard.Lock()
		th.stubborn = a.Do == "stubborn"
		th.guard.Unlock()
	case "pass a moment":
		pass(time.Second)
	case "pass":
		pass(time.Minute)
	case "pass long":
		pass(11 * time.Minute)
	case "crash":
		th.crash(a)
	case "restart":
		th.restart(a)
	case "lose":
		th.lose(a)
	}
}

// crash lets the process die, and another one find what it left.
func (th *harness) crash(a act) {
	found, far := th.journal.copy(), copyOf(th.far)
	th.journal.heals()
	require.NoError(th.t, th.s.Close(context.Background(), CauseQuit))
	th.journal, th.far = found, far
	th.reopen(a)
}

// restart ends the process as a signal does, and begins another.
func (th *harness) restart(a act) {
	th.journal.heals()
	th.pass(3 * retryAfter)
	th.check()
	require.NoError(th.t, th.s.Close(context.Background(), CauseProcessEnd))
	for _, r := range th.all() {
		require.True(th.t, r.lost || r.State.Terminal() || r.Remote(), "run %s is %s after Close", r.ID, r.State)
	}
	th.reopen(a)
}

// reopen begins another process over what there is.
func (th *harness) reopen(a act) {
	open := 0
	for _, run := range th.journal.runs {
		if unended(run) && !run.Remote() {
			open++
		}
		if unended(run) && (!run.Remote() || th.log.lost[run.ID]) { // its end was not saved, and another run may have followed
			delete(th.want, run.ID)
		}
	}
	for id := range th.far { // in its absence
		if a.At == 3 {
			delete(th.far, id)
			delete(th.want, id)
		}
	}
	before := len(th.journal.records)
	th.begin()
	synctest.Wait()
	for _, r := range th.all() {
		require.True(th.t, r.State.Terminal() || r.Remote(), "no run of a dead process is open")
		require.False(th.t, r.Awaited(), "no call waits for run %s any more", r.ID)
	}
	require.Equal(th.t, before > 0, th.reopened)
	require.True(th.t, open == 0 || len(th.journal.records) > before)
}

// end closes the supervisor, and sees that nothing happens after that.
func (th *harness) end() {
	th.judgeNow("close")
	th.journal.heals()
	th.pass(3 * retryAfter)
	th.check()
	require.NoError(th.t, th.s.Close(context.Background(), CauseQuit))
	synctest.Wait()
	require.Empty(th.t, th.workers, "nothing runs after Close")
	for _, r := range th.all() {
		require.True(th.t, r.State.Terminal(), "run %s is %s after Close", r.ID, r.State)
	}
	th.closed = true
	th.check()
	records := len(th.journal.records)
	_, err := th.s.Do(context.Background(), Send{Session: root, Text: "hello?"})
	require.ErrorIs(th.t, err, ErrClosing)
	pass(time.Hour)
	require.Len(th.t, th.journal.records, records, "nothing is written after Close")
}

// pass lets time go by, and what happens then settle.
func (th *harness) pass(d time.Duration) {
	pass(d)
	synctest.Wait()
}

func (th *harness) judgeNow(act string) { th.t.(*judge).now = act }
