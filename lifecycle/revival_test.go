package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhatADeadProcessLeftIsInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if _, err := launch(port, "a", true); err != nil {
				return Outcome{Err: err}
			}
			return untilStopped(ctx, port)
		})
		st.on("a", untilStopped)
		st.say("go")
		synctest.Wait()
		st.crash()
		st.open()
		defer st.close()
		for _, run := range st.runs() {
			require.Equal(t, StateInterrupted, run.State)
			require.Equal(t, CauseProcessEnd, run.Cause)
		}
		require.Equal(t, "half of it", st.child("a").Partial)
		require.True(t, st.child("a").Notification.Pending(), "nothing runs by itself after a restart")

		st.on(promptAfterInterruption, func(_ context.Context, port *Port) Outcome {
			require.Equal(t, TriggerContinue, port.Run().Trigger)
			return Outcome{Text: "picked up"}
		})
		reply := st.do(Continue{Session: st.child("a").Session})
		synctest.Wait()
		require.Equal(t, "picked up", st.run(reply.Runs[0].ID).Result)
	})
}

func TestARunThatWasFoundDeadTookUntilItWasLastHeardOf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Limits.Background = 1 })
		defer st.sound()
		st.on("go", launching("works", "waits"))
		st.on("works", func(ctx context.Context, port *Port) Outcome {
			pass(3 * time.Minute)
			return untilStopped(ctx, port)
		})
		st.say("go")
		pass(20 * time.Minute)
		st.crash()
		pass(8 * time.Hour)
		st.open()
		defer st.close()
		works, waits := st.child("works"), st.child("waits")
		require.Equal(t, StateInterrupted, works.State)
		require.Equal(t, 3*time.Minute, works.Elapsed(time.Now()).Truncate(time.Second))
		require.Greater(t, works.EndedAt.Sub(works.SpawnedAt), 8*time.Hour, "when it was found is kept as well")
		require.Equal(t, StateInterrupted, waits.State)
		require.Less(t, waits.Elapsed(time.Now()), time.Second)
	})
}

func TestARunThatWasCutOffOnTheWayOutTookUntilItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Limits.Background = 1 })
		st.on("go", launching("works", "waits"))
		st.on("works", stubborn(time.Second))
		st.say("go")
		pass(20 * time.Minute)
		require.NoError(t, st.s.Close(t.Context(), CauseProcessEnd))
		st.sound()
		works, waits := st.child("works"), st.child("waits")
		require.Equal(t, StateInterrupted, works.State)
		require.Equal(t, 20*time.Minute+time.Second, works.Elapsed(time.Now()).Truncate(time.Second))
		require.Equal(t, StateInterrupted, waits.State)
		require.Equal(t, 20*time.Minute, waits.Elapsed(time.Now()).Truncate(time.Second))
	})
}

func TestADeathBetweenAStopAndItsAnswerIsToldLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			run, err := launch(port, "a", true)
			if err != nil {
				return Outcome{Err: err}
			}
			if _, err = port.Scope().Stop(run.Session, "enough"); err != nil {
				return Outcome{Err: err}
			}
			<-ctx.Done() // its result is never written
			return Outcome{Err: context.Cause(ctx)}
		})
		st.on("a", untilStopped)
		st.say("go")
		synctest.Wait()
		require.Equal(t, StateCanceledByAgent, st.child("a").State)
		require.Nil(t, st.child("a").Notification, "the stop is to tell")
		st.crash()
		st.open()
		defer st.close()
		require.True(t, st.child("a").Notification.Pending(), "it did not")
		next := st.say("well?")
		synctest.Wait()
		require.Equal(t, next.ID, st.child("a").Notification.InRun)
	})
}

func TestAnInterruptedRunWhoseCallHasNoResultIsToldByThat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		var got Run
		st.on("go", waiting("look", &got))
		st.on("look", untilStopped)
		st.say("go")
		synctest.Wait()
		st.crash()
		st.open()
		defer st.close()
		look := st.child("look")
		require.Equal(t, StateInterrupted, look.State)
		require.Nil(t, look.Notification, "its call is to tell it")
		st.on("well?", func(_ context.Context, port *Port) Outcome {
			return Outcome{Text: "ok", Err: answer(port, look.Call)} // but does not
		})
		st.say("well?")
		synctest.Wait()
		require.Equal(t, ByNotification, st.child("look").Consumed.By, "so it is owed")
	})
}

func TestAnEndThatCouldNotBeSavedIsToldAtTheNextStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		release := make(chan struct{})
		var got Run
		st.on("go", waiting("look", &got))
		st.on("look", released(release))
		st.say("go")
		synctest.Wait()
		st.journal.fails(1)
		close(release) // its end is lost, and its call says that
		synctest.Wait()
		require.Equal(t, FailJournal, got.Error.Kind)
		require.Equal(t, StateCompleted, st.runs()[0].State)
		st.crash()
		st.open()
		defer st.close()
		require.Equal(t, StateInterrupted, st.child("look").State)
		require.True(t, st.child("look").Notification.Pending())
	})
}

func TestAMainRunThatItsServerFailedIsContinuedAndNoOther(t *testing.T) {
	for kind, goesOn := range map[FailureKind]bool{
		FailProvider: true, FailRateLimited: true, FailAuth: false, FailRefused: false, FailBudget: false, FailMaxSteps: false,
	} {
		synctest.Test(t, func(t *testing.T) {
			st := newStage(t)
			defer st.sound()
			defer st.close()
			failing := func(context.Context, *Port) Outcome { return Outcome{Err: &Failure{Kind: kind, Message: "down"}} }
			st.on("go", launching("a"))
			st.on("a", failing)
			st.say("go")
			synctest.Wait()
			_, err := st.s.Do(t.Context(), Continue{Session: st.child("a").Session})
			require.ErrorContains(t, err, "only an interrupted run", "a subagent's failure is its parent's")

			st.on("more", failing)
			st.say("more")
			synctest.Wait()
			st.on(promptAfterFailure, func(_ context.Context, port *Port) Outcome {
				require.Equal(t, TriggerContinue, port.Run().Trigger)
				return Outcome{Text: "picked up"}
			})
			reply, err := st.s.Do(t.Context(), Continue{Session: root})
			if !goesOn {
				require.ErrorContains(t, err, "only an interrupted run", kind)
				return
			}
			require.NoError(t, err)
			synctest.Wait()
			require.Equal(t, "picked up", st.run(reply.Runs[0].ID).Result)
			_, err = st.s.Do(t.Context(), Continue{Session: root})
			require.Error(t, err, "it is done")
		})
	}
}
