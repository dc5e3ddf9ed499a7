package lifecycle

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// More races: for a place, for the last word before an end, for its telling.

// parented is a parent that starts one in the background, hands its scope over, and
// goes on until it is told to end.
func parented(prompt string, ready chan<- *Scope, until <-chan struct{}) func(context.Context, *Port) Outcome {
	return func(_ context.Context, port *Port) Outcome {
		if _, err := port.Step(); err != nil {
			return Outcome{Err: err}
		}
		if _, err := launch(port, prompt, true); err != nil {
			return Outcome{Err: err}
		}
		ready <- port.Scope()
		<-until
		return Outcome{Text: "ok"}
	}
}

func TestAMessageAtTheEndIsTakenInOrStartsTheNextRun(t *testing.T) {
	runs := map[int]int{}
	for round := range races(t) {
		st := newStage(t)
		working, release, ready, over := make(chan struct{}), make(chan struct{}), make(chan *Scope, 1), make(chan struct{})
		st.on("a", contested(working, release))
		st.on("go", parented("a", ready, over))
		parent := st.say("go")
		scope := <-ready
		<-working
		agent := st.child("a")
		bothOrders(round,
			st.ending(round, release, agent.ID),
			func() {
				run, err := scope.Send(agent.Session, "and this", "call-send")
				require.NoError(t, err)
				require.Equal(t, agent.Session, run.Session)
			},
		)
		<-st.done(agent.ID)
		next := st.child("a")
		<-st.done(next.ID)
		close(over)
		<-st.done(parent.ID)
		require.NotEqual(t, agent.ID, next.ID, "it ended without another step: the message starts a run")
		require.Equal(t, CallID("call-send"), next.Call, "on its own call, whichever was first")
		queued := 0
		for _, rec := range st.journal.copy().records {
			if _, ok := rec.Event.(MessageQueued); ok {
				queued++
			}
		}
		st.close()
		st.sound()
		runs[queued]++
	}
	require.Len(t, runs, 2, "before the end and after it must both come about: %v", runs)
}

func TestAnEndThatIsReadAsItComesIsToldOnce(t *testing.T) {
	by := map[Consumer]int{}
	for round := range races(t) {
		st := newStage(t)
		working, release, ready := make(chan struct{}), make(chan struct{}), make(chan *Port, 1)
		over := make(chan struct{})
		st.on("a", contested(working, release))
		st.on("go", func(_ context.Context, port *Port) Outcome {
			if _, err := launch(port, "a", true); err != nil {
				return Outcome{Err: err}
			}
			ready <- port
			<-over
			_, err := port.Step() // what was not read is delivered
			return Outcome{Text: "ok", Err: err}
		})
		parent := st.say("go")
		port := <-ready
		<-working
		agent := st.child("a")
		bothOrders(round,
			st.ending(round, release, agent.ID),
			func() {
				run, err := port.Scope().Latest(agent.Session)
				require.NoError(t, err)
				require.NoError(t, answer(port, "call-output", told(run, ByAgentOutput)...))
			},
			func() {
				run, err := port.Scope().Await(t.Context(), agent.ID, time.Microsecond)
				require.NoError(t, err)
				require.NoError(t, answer(port, "call-output-2", told(run, ByAgentOutput)...))
			},
		)
		<-st.done(agent.ID)
		close(over)
		<-st.done(parent.ID)
		st.close()
		st.sound()
		run := st.child("a")
		require.NotNil(t, run.Consumed)
		require.False(t, run.Notification.Pending())
		by[run.Consumed.By]++
	}
	require.Len(t, by, 2, "read, and notified: %v", by)
}

func TestAnEndAtTheWarningIsToldByTheCallOrLater(t *testing.T) {
	by := map[Consumer]int{}
	for round := range races(t) {
		st := newStage(t)
		working, release := make(chan struct{}), make(chan struct{})
		var got Run
		st.on("a", contested(working, release))
		ready := make(chan *Scope, 1)
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			ready <- port.Scope()
			return waiting("a", &got)(ctx, port)
		})
		parent := st.say("go")
		scope := <-ready
		<-working
		agent := st.child("a").ID
		h, err := scope.own(agent)
		require.NoError(t, err)
		bothOrders(round,
			st.ending(round, release, agent),
			func() {
				_ = scope.overdue(h, time.Minute) // refused where it has ended
				if round == 1 {
					<-st.done(parent.ID) // the call has come back, and the parent with it
				}
			},
		)
		<-st.done(parent.ID)
		<-st.done(st.child("a").ID)
		for run := st.child("a"); run.Consumed == nil; run = st.child("a") { // the parent is woken, if it must be
			<-st.done(st.runs()[len(st.runs())-1].ID)
		}
		st.close()
		st.sound()
		run := st.child("a")
		require.Equal(t, StateCompleted, run.State)
		require.Equal(t, run.OverdueAt.IsZero(), run.Notification == nil)
		by[run.Consumed.By]++
	}
	require.Len(t, by, 2, "by the call, and later: %v", by)
}

func TestTwoDetachesForTheLastSlotGiveItOnce(t *testing.T) {
	for range races(t) {
		st := newStage(t, func(o *Options) { o.Limits.Background = 1 })
		st.on("a", untilStopped)
		st.on("b", untilStopped)
		both := make(chan struct{})
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			for _, name := range []string{"a", "b"} {
				run, err := launch(port, name, false)
				if err != nil {
					return Outcome{Err: err}
				}
				go func() { _, _ = port.Scope().Wait(ctx, run.ID) }()
			}
			close(both)
			<-ctx.Done()
			return Outcome{Err: context.Cause(ctx)}
		})
		st.say("go")
		<-both
		errs := make([]error, 2)
		together(
			func() { _, errs[0] = st.s.Do(t.Context(), Detach{Session: st.child("a").Session}) },
			func() { _, errs[1] = st.s.Do(t.Context(), Detach{Session: st.child("b").Session}) },
		)
		require.NotEqual(t, errs[0] == nil, errs[1] == nil, "one of them: %v", errs)
		st.close()
		st.sound()
	}
}

func TestAStopInLineAndAFreedSlotYieldOneEnd(t *testing.T) {
	started := map[bool]int{}
	for round := range races(t) {
		st := newStage(t, func(o *Options) { o.Limits.Background = 1 })
		working, release := make(chan struct{}), make(chan struct{})
		st.on("a", contested(working, release))
		st.on("b", untilStopped)
		st.on("go", launching("a", "b"))
		parent := st.say("go")
		<-working
		<-st.done(parent.ID)
		next := st.child("b")
		require.Equal(t, StateQueued, next.State)
		bothOrders(round,
			st.ending(round, release, st.child("a").ID),
			func() { st.do(Stop{Session: next.Session, Cause: CauseKey}) },
		)
		<-st.done(next.ID)
		<-st.done(st.child("a").ID)
		run := st.child("b")
		require.Equal(t, StateCanceledByUser, run.State)
		require.NotNil(t, run.Notification)
		require.Equal(t, StateCompleted, st.child("a").State)
		started[!run.StartedAt.IsZero()]++
		st.close()
		st.sound()
	}
	require.Len(t, started, 2, "stopped in line, and at work: %v", started)
}
