package lifecycle

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// An end that no call tells is owed, whoever left it behind.

func TestAForegroundRunThatOutlivesTheStopOfItsParentIsToldLater(t *testing.T) {
	for name, stop := range map[string]Command{
		"the parent's stop": Stop{Session: root, Cause: CauseKey},
		"the stop of all":   StopAll{Root: root, Cause: CauseCommand},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t)
				defer st.sound()
				defer st.close()
				var got Run
				st.on("go", waiting("look", &got))
				st.on("look", stubborn(5*time.Second))
				st.say("go")
				synctest.Wait()
				st.do(stop)
				pass(stopGrace)
				synctest.Wait()
				require.Equal(t, StateRunning, got.State, "the call comes back after the grace")
				require.Equal(t, StateCanceledByUser, st.runs()[0].State)
				require.False(t, st.child("look").LeftAt.IsZero())
				require.True(t, st.child("look").Owes(), "nobody waits for it any more")
				pass(time.Minute)
				synctest.Wait()
				look := st.child("look")
				require.Equal(t, StateCanceledByUser, look.State)
				require.True(t, look.Notification.Pending())
				require.Len(t, st.runs(), 2, "a stopped parent is not woken for it")
				next := st.say("well?")
				synctest.Wait()
				require.Equal(t, next.ID, st.child("look").Notification.InRun)
				require.Equal(t, ByNotification, st.child("look").Consumed.By)
			})
		})
	}
}

func TestAForegroundRunThatWasLeftBehindByADeadProcessIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		var got Run
		st.on("go", waiting("look", &got))
		st.on("look", stubborn(time.Hour))
		st.say("go")
		synctest.Wait()
		st.do(Stop{Session: root, Cause: CauseKey})
		pass(time.Minute)
		st.crash()
		st.open()
		defer st.close()
		require.Equal(t, StateInterrupted, st.child("look").State)
		require.True(t, st.child("look").Notification.Pending())
	})
}

func TestAnEndBetweenTheWaitAndItsAnswerIsOwed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("look", stubborn(stopGrace+time.Second))
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			run, err := launch(port, "look", false)
			if err != nil {
				return Outcome{Err: err}
			}
			got, err := port.Scope().Wait(ctx, run.ID)
			pass(10 * time.Second) // meanwhile it ends
			return Outcome{Err: errors.Join(err, answer(port, run.Call, told(got, ByToolResult)...), context.Cause(ctx))}
		})
		st.say("go")
		synctest.Wait()
		st.do(Stop{Session: root, Cause: CauseKey})
		pass(time.Minute)
		synctest.Wait()
		require.True(t, st.child("look").Notification.Pending(), "the result speaks of a run that is still ending")
	})
}

func TestAnEndThatABrokenCallWasToTellIsOwed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		release := make(chan struct{})
		st.on("look", released(release))
		st.on("go", func(_ context.Context, port *Port) Outcome {
			run, err := launch(port, "look", false)
			if err != nil {
				return Outcome{Err: err}
			}
			return Outcome{Text: "ok", Err: answer(port, run.Call)} // a bug in the tool: it did not wait
		})
		st.say("go")
		synctest.Wait()
		close(release)
		synctest.Wait()
		require.Equal(t, ByNotification, st.child("look").Consumed.By)
	})
}

func TestAnAgentStopThatTakesLongerThanItsGraceOwesTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var got Run
		st.on("a", stubborn(5*time.Second))
		st.on("go", func(_ context.Context, port *Port) Outcome {
			run, err := launch(port, "a", true)
			if err != nil {
				return Outcome{Err: err}
			}
			pass(time.Second)
			got, err = port.Scope().Stop(run.Session, "enough")
			return Outcome{Text: "ok", Err: errors.Join(err, answer(port, "call-stop", told(got, ByAgentStop)...))}
		})
		st.say("go")
		pass(time.Minute)
		synctest.Wait()
		require.Equal(t, StateRunning, got.State)
		require.Equal(t, StateCanceledByAgent, st.child("a").State)
		require.Equal(t, ByNotification, st.child("a").Consumed.By)
	})
}

func TestAStopWhoseResultWasNotSavedOwesTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		st.on("a", untilStopped)
		st.on("go", func(_ context.Context, port *Port) Outcome {
			run, err := launch(port, "a", true)
			if err != nil {
				return Outcome{Err: err}
			}
			got, err := port.Scope().Stop(run.Session, "enough")
			st.journal.fails(2)
			return Outcome{Text: "ok", Err: errors.Join(err, answer(port, "call-stop", told(got, ByAgentStop)...))}
		})
		st.say("go")
		synctest.Wait()
		require.Nil(t, st.child("a").Notification)
		st.say("well?") // the run after the one that was lost
		synctest.Wait()
		require.NotNil(t, st.child("a").Notification, "whoever was to tell is gone")
		require.Equal(t, ByNotification, st.child("a").Consumed.By)
	})
}
