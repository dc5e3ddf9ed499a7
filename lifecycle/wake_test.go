package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// When an idle parent is woken, and when it is not.

func TestAParentThatCannotBeginIsNotWokenForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Limits.AutoResumes = -1 })
		defer st.sound()
		defer st.close()
		release, tries := make(chan struct{}), 0
		st.on("go", launching("a"))
		st.on("a", released(release))
		st.say("go")
		synctest.Wait()
		st.on("", func(ctx context.Context, port *Port) Outcome {
			if tries++; tries > 3 {
				return untilStopped(ctx, port)
			}
			return cannotBegin(ctx, port)
		})
		close(release)
		synctest.Wait()
		require.Equal(t, 1, tries)
		require.True(t, st.child("a").Notification.Pending(), "it goes with the user's next message")
	})
}

func TestAMessageToASessionThatCannotBeginGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		release, tries := make(chan struct{}), 0
		st.on("go", released(release))
		st.on("", func(ctx context.Context, port *Port) Outcome {
			if tries++; tries > 3 {
				return untilStopped(ctx, port)
			}
			return cannotBegin(ctx, port)
		})
		st.say("go")
		synctest.Wait()
		st.do(Send{Session: root, Text: "and this"})
		close(release)
		synctest.Wait()
		require.Equal(t, 1, tries, "a message does not start one run after another")
		require.Equal(t, []string{"and this"}, st.returned())
	})
}

func TestTheUsersQueuedMessageLetsTheParentWakeItselfAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Limits.AutoResumes = 1 })
		defer st.sound()
		defer st.close()
		a, b, woken := make(chan struct{}), make(chan struct{}), make(chan struct{})
		st.on("go", launching("a", "b"))
		st.on("a", released(a))
		st.on("b", released(b))
		st.on("", released(woken))
		st.say("go")
		synctest.Wait()
		close(a) // the parent wakes itself, the one time it may
		synctest.Wait()
		st.do(Send{Session: root, Text: "I am here"})
		close(woken)
		synctest.Wait()
		close(b)
		synctest.Wait()
		require.False(t, st.child("b").Notification.Pending())
	})
}

func TestAParentThatCompletedAsItWasStoppedIsNotWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		release := make(chan struct{})
		st.on("a", released(release))
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if _, err := launch(port, "a", true); err != nil {
				return Outcome{Err: err}
			}
			<-ctx.Done()
			return Outcome{Text: "done before the stop reached it"}
		})
		st.say("go")
		synctest.Wait()
		st.do(Send{Session: root, Text: "typed meanwhile"})
		st.do(Stop{Session: root, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, StateCompleted, st.runs()[0].State)
		require.Equal(t, []string{"typed meanwhile"}, st.returned(), "a stop is no wish to go on")
		close(release)
		synctest.Wait()
		require.True(t, st.child("a").Notification.Pending())
	})
}

func TestAnOpenQuestionHoldsThePendingNotificationUntilItIsSettled(t *testing.T) {
	for name, settle := range map[string]func(st *stage, q Question, withdraw func()){
		"answered": func(st *stage, q Question, _ func()) { st.do(Resolve{Question: q.ID, Answer: Answer{Allow: true}}) },
		"stopped":  func(st *stage, q Question, _ func()) { st.do(Stop{Session: q.Session, Cause: CauseKey}) },
		"withdrawn": func(st *stage, q Question, withdraw func()) {
			withdraw()
			synctest.Wait()
			require.Empty(st.t, st.child("asks").Asked)
			require.Equal(st.t, DeciderNobody, st.child("asks").Denials[0].By)
			_, err := st.s.Do(st.t.Context(), Resolve{Question: q.ID, Answer: Answer{Allow: true}})
			require.ErrorIs(st.t, err, ErrUnknown)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t, func(o *Options) { o.AskInBackground = true })
				defer st.sound()
				defer st.close()
				release := make(chan struct{})
				st.on("go", launching("asks", "ends"))
				st.on("ends", released(release))
				var withdraw func()
				st.on("asks", func(ctx context.Context, port *Port) Outcome {
					call, cancel := context.WithCancel(ctx)
					withdraw = cancel
					if _, err := port.Ask(call, Question{Tool: "shell", Subject: "ls"}); err != nil && ctx.Err() != nil {
						return Outcome{Err: err}
					}
					return untilStopped(ctx, port)
				})
				st.say("go")
				synctest.Wait()
				close(release)
				synctest.Wait()
				require.True(t, st.child("ends").Notification.Pending(), "a question is open")
				settle(st, st.child("asks").Asked[0], withdraw)
				synctest.Wait()
				require.False(t, st.child("ends").Notification.Pending())
			})
		})
	}
}

func TestEndsAreToldInTheOrderOfTheLog(t *testing.T) {
	early, late := time.Unix(1, 0), time.Unix(2, 0)
	spec := Spec{Root: "root", Parent: "root"}
	runs := NewLedger(Snapshot{Root: "root", Runs: []Run{
		{ID: "second", Spec: spec, State: StateCompleted, Notification: &Notification{}, EndedAt: early, Seq: 9},
		{ID: "first", Spec: spec, State: StateCompleted, Notification: &Notification{}, EndedAt: late, Seq: 8},
	}}).Owed("root")
	require.Equal(t, RunID("first"), runs[0].ID, "a clock that was put back changes nothing")
}

func TestEndsWakeAnIdleParentOnceForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		release := make(chan struct{})
		hold := func(_ context.Context, port *Port) Outcome {
			<-release
			return Outcome{Text: "result of " + port.Run().Prompt}
		}
		st.on("go", launching("a", "b"))
		st.on("a", hold)
		st.on("b", hold)
		st.say("go")
		synctest.Wait()
		require.Len(t, st.runs(), 3)
		close(release)
		synctest.Wait()
		woken := st.runs()[3]
		require.Equal(t, TriggerNotification, woken.Trigger)
		for _, name := range []string{"a", "b"} {
			run := st.child(name)
			require.Equal(t, ByNotification, run.Consumed.By)
			require.False(t, run.Notification.Pending())
		}
	})
}

func TestANotificationWaitsForTheNextStepOfABusyParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var second []Entry
		st.on("a", func(context.Context, *Port) Outcome { return Outcome{Text: "early"} })
		st.on("go", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			if _, err := launch(port, "a", true); err != nil {
				return Outcome{Err: err}
			}
			pass(time.Minute) // a slow tool, in virtual time
			var err error
			second, err = port.Step()
			return Outcome{Text: "ok", Err: err}
		})
		st.say("go")
		pass(2 * time.Minute)
		synctest.Wait()
		require.Len(t, second, 1)
		require.Equal(t, EntryNotification, second[0].Kind)
		n := st.child("a").Notification
		require.Equal(t, 2, n.Step)
		require.Equal(t, st.runs()[0].ID, n.InRun)
		require.Len(t, st.runs(), 2, "nobody is woken for what was told already")
	})
}

func TestAStoppedParentIsNotWokenUntilItsUserWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if _, err := launch(port, "a", true); err != nil {
				return Outcome{Err: err}
			}
			return untilStopped(ctx, port)
		})
		st.on("a", func(context.Context, *Port) Outcome {
			pass(time.Minute)
			return Outcome{Text: "late"}
		})
		st.say("go")
		synctest.Wait()
		st.do(Stop{Session: root, Cause: CauseKey})
		pass(2 * time.Minute)
		synctest.Wait()
		require.True(t, st.child("a").Notification.Pending())
		require.Len(t, st.runs(), 2)
		next := st.say("well?")
		synctest.Wait()
		require.Equal(t, next.ID, st.child("a").Notification.InRun, "it goes with the user's next message")
	})
}
