package lifecycle

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/internal/soaktest"
)

// Two who want the end of a run, or its place, at the same moment: in whichever
// order they come, it ends once, and its parent hears of it once. On real
// goroutines: in the gate as often as its time allows, in the soak ten thousand
// times each.
func races(t *testing.T) int {
	count := soaktest.Count(t, 1000, 10_000)
	t.Cleanup(func() {
		if !t.Failed() {
			soaktest.Tried(t, count, "races for the end of a run, its place or its telling")
		}
	})
	return count
}

// together does all of these at once and returns when they are done.
func together(do ...func()) {
	var all sync.WaitGroup
	begin := make(chan struct{})
	for _, one := range do {
		all.Go(func() { <-begin; one() })
	}
	close(begin)
	all.Wait()
}

// bothOrders does an act and others at once, but in the first round that act before the others, and
// in the second after them: so each order comes about on every machine.
func bothOrders(round int, one func(), others ...func()) {
	switch round {
	case 0:
		one()
		together(others...)
	case 1:
		together(others...)
		one()
	default:
		together(append(others, one)...)
	}
}

// contested is a worker that ends by itself or by a stop, whichever comes first.
func contested(working chan<- struct{}, release <-chan struct{}) func(context.Context, *Port) Outcome {
	return func(ctx context.Context, port *Port) Outcome {
		if _, err := port.Step(); err != nil {
			return Outcome{Err: err}
		}
		close(working)
		select {
		case <-release:
			return Outcome{Text: "done"}
		case <-ctx.Done():
			return Outcome{Err: context.Cause(ctx)}
		}
	}
}

// ending lets a contested worker end, and in the first round waits until it has.
func (st *stage) ending(round int, release chan struct{}, run RunID) func() {
	return func() {
		close(release)
		if round == 0 {
			<-st.done(run)
		}
	}
}

func TestACompletionAndAStopYieldOneEnd(t *testing.T) {
	ends := map[State]int{}
	for round := range races(t) {
		st := newStage(t)
		working, release := make(chan struct{}), make(chan struct{})
		st.on("go", launching("a"))
		st.on("a", contested(working, release))
		st.say("go")
		<-working
		agent := st.child("a")
		bothOrders(round,
			st.ending(round, release, agent.ID),
			func() { st.do(Stop{Session: agent.Session, Cause: CauseKey}) },
		)
		st.close()
		st.sound()
		run := st.child("a")
		require.Contains(t, []State{StateCompleted, StateCanceledByUser}, run.State)
		require.NotNil(t, run.Notification, "whichever it was, the parent is owed word of it")
		ends[run.State]++
	}
	require.Len(t, ends, 2, "both must come about, or this proves nothing: %v", ends)
}

func TestTwoStopsYieldOneEnd(t *testing.T) {
	for range races(t) {
		synctest.Test(t, func(t *testing.T) { // a machine that stands still does not use up the 2 s that scope.Stop waits
			st := newStage(t)
			working, ready := make(chan struct{}), make(chan *Scope, 1)
			st.on("a", contested(working, nil))
			answered := make(chan Run, 1)
			st.on("go", func(_ context.Context, port *Port) Outcome {
				if _, err := launch(port, "a", true); err != nil {
					return Outcome{Err: err}
				}
				ready <- port.Scope()
				return Outcome{Text: "ok", Err: answer(port, "call-stop", told(<-answered, ByAgentStop)...)}
			})
			st.say("go")
			<-working
			scope, agent := <-ready, st.child("a").Session
			var got Run
			together(
				func() { st.do(Stop{Session: agent, Cause: CauseKey}) },
				func() { st.do(StopAll{Root: root, Cause: CauseCommand}) },
				func() {
					var err error
					got, err = scope.Stop(agent, "enough")
					require.NoError(t, err)
				},
			)
			answered <- got
			st.close()
			st.sound()
			run := st.child("a")
			require.Equal(t, got.State, run.State, "the tool told the end that stands")
			require.Equal(t, run.State == StateCanceledByUser, run.Notification != nil, "a stop by the parent tells itself")
		})
	}
}

func TestAFinishAndADetachTellTheParentOnce(t *testing.T) {
	for range races(t) {
		st := newStage(t)
		working, release := make(chan struct{}), make(chan struct{})
		st.on("a", contested(working, release))
		var got Run
		st.on("go", waiting("a", &got))
		parent := st.say("go")
		<-working
		agent := st.child("a").Session
		together(
			func() { close(release) },
			func() { _, _ = st.s.Do(t.Context(), Detach{Session: agent}) }, // refused where it has ended
		)
		<-st.done(parent.ID)
		<-st.done(st.child("a").ID)
		st.close()
		st.sound()
		run := st.child("a")
		require.Equal(t, StateCompleted, run.State)
		require.True(t, run.Consumed != nil || run.Notification.Pending(), "told, or to be told")
	}
}

func TestACloseAndASpawnLeaveNothingRunning(t *testing.T) {
	for range races(t) {
		st := newStage(t)
		begun := make(chan struct{})
		children := []string{"a", "b", "c", "d", "e", "f", "g"}
		for _, child := range children {
			st.on(child, untilStopped)
		}
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			close(begun)
			for _, child := range children {
				if _, err := launch(port, child, true); err != nil {
					return Outcome{Err: err}
				}
			}
			<-ctx.Done()
			return Outcome{Err: context.Cause(ctx)}
		})
		st.say("go")
		<-begun
		together(st.close, func() { _, _ = st.s.Do(t.Context(), Send{Session: root, Text: "more"}) })
		st.sound()
		for _, run := range st.runs() {
			require.True(t, run.State.Terminal(), "%s is %s", run.Description, run.State)
		}
	}
}
