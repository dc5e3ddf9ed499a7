package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestADetachedRunOutlivesTheStopOfItsParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 20 { // both are ready at once: neither order may stop it
			st := newStage(t)
			var got Run
			st.on("go", waiting("look", &got))
			st.on("look", untilStopped)
			st.say("go")
			synctest.Wait()
			goOn := st.journal.hold()
			go st.do(Detach{Session: st.child("look").Session})
			synctest.Wait()
			go st.do(Stop{Session: root, Cause: CauseKey})
			synctest.Wait()
			goOn()
			synctest.Wait()
			require.Equal(t, StateRunning, st.child("look").State)
			require.Equal(t, StateCanceledByUser, st.runs()[0].State)
			require.True(t, got.Background, "and the call says that it was detached")
			st.close()
			st.sound()
		}
	})
}

func TestAStopThatComesBackBeforeTheEndOwesItsNotification(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var got Run
		st.on("a", func(ctx context.Context, _ *Port) Outcome {
			<-ctx.Done()
			pass(stopGrace - time.Millisecond)
			return Outcome{Err: context.Cause(ctx)}
		})
		st.on("go", func(_ context.Context, port *Port) Outcome {
			run, err := launch(port, "a", true)
			if err != nil {
				return Outcome{Err: err}
			}
			pass(time.Second)
			if got, err = port.Scope().Stop(run.Session, "enough"); err != nil {
				return Outcome{Err: err}
			}
			return Outcome{Text: "ok", Err: answer(port, "call-stop", told(got, ByAgentStop)...)}
		})
		st.say("go")
		pass(time.Second + stopGrace/2)
		goOn := st.journal.hold() // its end is entered, but not yet on disk when the grace is over
		pass(stopGrace)
		goOn()
		synctest.Wait()
		require.True(t, got.State.Terminal() || st.child("a").Notification != nil, "told now, or owed")
	})
}

func TestAStoppedRunStartsNothingMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var start, send error
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			run, err := launch(port, "quick", true)
			if err != nil {
				return Outcome{Err: err}
			}
			<-ctx.Done()
			_, start = launch(port, "late", true)
			_, send = port.Scope().Send(run.Session, "again", "call")
			return Outcome{Err: context.Cause(ctx)}
		})
		st.say("go")
		synctest.Wait()
		st.do(StopAll{Root: root, Cause: CauseKey})
		synctest.Wait()
		require.Error(t, start, "stop all means all")
		require.Error(t, send)
		require.Len(t, st.runs(), 2)
	})
}

func TestADetachBeyondTheQueueIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) {
			o.Limits = Limits{Background: 1, Queue: 1, Foreground: 1, ForegroundWarning: time.Hour}
		})
		defer st.sound()
		defer st.close()
		for _, name := range []string{"running", "queued", "first", "second"} {
			st.on(name, untilStopped)
		}
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if out := launching("running", "queued")(ctx, port); out.Err != nil {
				return out
			}
			for _, name := range []string{"first", "second"} {
				if _, err := launch(port, name, false); err != nil {
					return Outcome{Err: err}
				}
			}
			<-ctx.Done()
			return Outcome{Err: context.Cause(ctx)}
		})
		st.say("go")
		synctest.Wait()
		require.Equal(t, StateQueued, st.child("second").State)
		_, err := st.s.Do(t.Context(), Detach{Session: st.child("second").Session})
		require.ErrorIs(t, err, ErrNoSlot)
	})
}

func TestOverdueRunsInLineAllStartWhenASlotIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Limits.Foreground = 1 })
		defer st.sound()
		defer st.close()
		release := make(chan struct{})
		st.on("first", released(release))
		st.on("second", untilStopped)
		st.on("third", untilStopped)
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			for _, name := range []string{"first", "second", "third"} {
				run, err := launch(port, name, false)
				if err != nil {
					return Outcome{Err: err}
				}
				if name != "first" {
					go func() { _, _ = port.Scope().Wait(ctx, run.ID) }()
				}
			}
			<-ctx.Done()
			return Outcome{Err: context.Cause(ctx)}
		})
		st.say("go")
		pass(11 * time.Minute)
		synctest.Wait()
		require.Equal(t, StateQueued, st.child("third").State)
		close(release)
		synctest.Wait()
		require.Equal(t, StateRunning, st.child("second").State)
		require.Equal(t, StateRunning, st.child("third").State, "an overdue run holds no slot")
	})
}

func TestASecondCloseWaitsForTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.on("go", func(ctx context.Context, _ *Port) Outcome {
			<-ctx.Done()
			pass(time.Second)
			return Outcome{Err: context.Cause(ctx)}
		})
		st.say("go")
		synctest.Wait()
		go st.close()
		synctest.Wait()
		st.close()
		require.True(t, st.runs()[0].State.Terminal(), "who has closed may leave")
	})
}

func TestARunThatWasStoppedBeforeItsWorkerBeganDoesNoWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		worked := false
		st.on("go", func(context.Context, *Port) Outcome { worked = true; return Outcome{Text: "ok"} })
		goOn := st.journal.hold()
		go st.say("go")
		synctest.Wait()
		go st.do(Stop{Session: root, Cause: CauseKey})
		synctest.Wait()
		goOn()
		synctest.Wait()
		require.False(t, worked)
		require.Equal(t, StateCanceledByUser, st.runs()[0].State)
	})
}

func TestAStoppedBackgroundRunThatAgentStopToldOwesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var got Run
		st.on("a", untilStopped)
		st.on("go", func(_ context.Context, port *Port) Outcome {
			run, err := launch(port, "a", true)
			if err != nil {
				return Outcome{Err: err}
			}
			pass(time.Second)
			if got, err = port.Scope().Stop(run.Session, "enough"); err != nil {
				return Outcome{Err: err}
			}
			return Outcome{Text: "ok", Err: answer(port, "call-stop", told(got, ByAgentStop)...)}
		})
		st.say("go")
		pass(time.Minute)
		synctest.Wait()
		require.Equal(t, StateCanceledByAgent, got.State)
		require.Equal(t, "enough", got.Reason)
		require.Equal(t, "half of it", got.Partial)
		require.Nil(t, got.Notification)
	})
}

func TestStoppingAnIdleParentLeavesItsBackgroundRunsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", launching("a"))
		st.on("a", untilStopped)
		st.say("go")
		synctest.Wait()
		st.do(Stop{Session: root, Cause: CauseKey})
		st.do(StopForeground{Session: root, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, StateRunning, st.child("a").State)
	})
}

func TestARunThatIsStillEndingAsksNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			_, err := port.Ask(ctx, Question{Tool: "shell", Subject: "ls"})
			pass(5 * time.Second)
			return Outcome{Err: err}
		})
		st.say("go")
		synctest.Wait()
		require.Len(t, st.runs()[0].Asked, 1)
		st.do(Stop{Session: root, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, StateRunning, st.runs()[0].State)
		require.Empty(t, st.runs()[0].Asked, "nobody would hear the answer")
	})
}
