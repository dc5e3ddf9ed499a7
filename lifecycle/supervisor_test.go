package lifecycle

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAForegroundRunGoesToItsParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var got Run
		st.on("go", waiting("look", &got))
		st.on("look", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			return Outcome{Text: "found it"}
		})
		st.say("go")
		synctest.Wait()
		require.Equal(t, StateCompleted, got.State)
		require.Equal(t, "found it", got.Result)
		require.Nil(t, got.Notification, "a foreground run owes no notification")
		require.Equal(t, "parent done", st.runs()[0].Result)
		require.Equal(t, "/src", got.Folder, "a subagent works where its parent does")
		require.Equal(t, "test/m", got.Model, "and on its model")
	})
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

func TestTheSixthBackgroundRunWaitsAndTheTwentySixthIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var refused error
		st.on("go", func(_ context.Context, port *Port) Outcome {
			for i := range 26 {
				prompt := fmt.Sprintf("job %02d", i)
				st.on(prompt, untilStopped)
				if _, refused = launch(port, prompt, true); refused != nil {
					require.Equal(t, 25, i)
				}
			}
			return Outcome{Text: "ok"}
		})
		st.say("go")
		synctest.Wait()
		require.ErrorIs(t, refused, ErrNoSlot)
		require.ErrorContains(t, refused, `"job 00"`)
		require.ErrorContains(t, refused, "Do not retry")
		require.Equal(t, StateRunning, st.child("job 04").State)
		require.Equal(t, StateQueued, st.child("job 05").State)

		st.do(Stop{Session: st.child("job 07").Session, Cause: CauseKey})
		require.Equal(t, StateCanceledByUser, st.child("job 07").State, "one that waits is stopped at once")
		require.NotNil(t, st.child("job 07").Notification, "and owes word like any other")

		st.do(Stop{Session: st.child("job 00").Session, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, StateCanceledByUser, st.child("job 00").State)
		require.Equal(t, "half of it", st.child("job 00").Partial)
		require.Equal(t, StateRunning, st.child("job 05").State, "the next in line has its slot")
		require.Equal(t, StateQueued, st.child("job 06").State)
	})
}

func TestStoppingAParentGivesItsForegroundCallTheirEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var got Run
		st.on("go", waiting("look", &got))
		st.on("look", untilStopped)
		st.say("go")
		synctest.Wait()
		st.do(Stop{Session: root, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, StateCanceledByUser, got.State)
		require.Equal(t, CauseKey, got.Cause)
		require.Equal(t, "half of it", got.Partial)
		require.Equal(t, StateCanceledByUser, st.runs()[0].State)
	})
}

func TestStoppingTheForegroundLetsTheParentGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var got Run
		st.on("go", waiting("look", &got))
		st.on("look", untilStopped)
		st.say("go")
		synctest.Wait()
		reply := st.do(StopForeground{Session: root, Cause: CauseKey})
		synctest.Wait()
		require.Len(t, reply.Runs, 1)
		require.Equal(t, StateCanceledByUser, got.State)
		require.Equal(t, StateCompleted, st.runs()[0].State, "the parent went on")
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

func TestAForegroundRunIsOverdueAfterTenMinutesAndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var got Run
		st.on("go", waiting("slow", &got))
		st.on("slow", func(context.Context, *Port) Outcome {
			pass(25 * time.Minute)
			return Outcome{Text: "at last"}
		})
		begun := time.Now()
		st.say("go")
		pass(11 * time.Minute)
		synctest.Wait()
		require.Equal(t, StateRunning, got.State, "nothing kills it")
		require.Equal(t, 10*time.Minute, got.OverdueAt.Sub(begun).Truncate(time.Second))
		require.Equal(t, StateCompleted, st.runs()[0].State, "the parent woke")
		pass(20 * time.Minute)
		synctest.Wait()
		require.Equal(t, "at last", st.child("slow").Result)
		require.Equal(t, ByNotification, st.child("slow").Consumed.By)
	})
}

func TestADetachedRunGoesOnAndNotifies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var got Run
		st.on("go", waiting("look", &got))
		st.on("look", func(context.Context, *Port) Outcome {
			pass(time.Minute)
			return Outcome{Text: "found"}
		})
		st.say("go")
		synctest.Wait()
		st.do(DetachForeground{Session: root})
		synctest.Wait()
		require.Equal(t, StateRunning, got.State)
		require.True(t, got.Background)
		pass(2 * time.Minute)
		synctest.Wait()
		require.Equal(t, ByNotification, st.child("look").Consumed.By)
	})
}

func TestADetachBeyondTheLimitIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			for i := range 5 {
				prompt := fmt.Sprint("bg ", i)
				st.on(prompt, untilStopped)
				if _, err := launch(port, prompt, true); err != nil {
					return Outcome{Err: err}
				}
			}
			var got Run
			return waiting("fg", &got)(ctx, port)
		})
		st.on("fg", untilStopped)
		st.say("go")
		synctest.Wait()
		_, err := st.s.Do(t.Context(), DetachForeground{Session: root})
		require.ErrorIs(t, err, ErrNoSlot)
		require.False(t, st.child("fg").Background)
	})
}

func TestAMessageToABusySessionIsTakenInAtItsNextStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var second []Entry
		st.on("go", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			pass(time.Minute)
			var err error
			second, err = port.Step()
			return Outcome{Text: "ok", Err: err}
		})
		st.say("go")
		synctest.Wait()
		first := st.do(Send{Session: root, Text: "and this"})
		last := st.do(Send{Session: root, Text: "no, that"})
		gone := st.do(Send{Session: root, Text: "never mind"})
		st.do(EditMessage{Session: root, Message: first.Message, Text: "and this too"})
		st.do(MoveMessage{Session: root, Message: last.Message, To: 0})
		st.do(WithdrawMessage{Session: root, Message: gone.Message})
		pass(2 * time.Minute)
		synctest.Wait()
		require.Len(t, second, 2)
		require.JSONEq(t, `{"from":"user","message":"`+string(last.Message)+`","text":"no, that"}`, string(second[0].Body))
		require.JSONEq(t, `{"from":"user","message":"`+string(first.Message)+`","text":"and this too"}`, string(second[1].Body))
	})
}

func TestAMessageThatComesTooLateStartsTheNextRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", launching("a"))
		st.on("a", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			pass(time.Minute)
			return Outcome{Text: "first"}
		})
		st.say("go")
		synctest.Wait()
		agent := st.child("a").Session
		st.do(Send{Session: agent, Text: "also this"})
		pass(2 * time.Minute)
		synctest.Wait()
		var own []Run
		for _, run := range st.runs() {
			if run.Session == agent {
				own = append(own, run)
			}
		}
		require.Len(t, own, 2)
		require.True(t, own[1].Background)
		require.Equal(t, own[0].Call, own[1].Call, "it stands on the original call")
		require.NotNil(t, own[0].Notification)
		require.NotNil(t, own[1].Notification)
	})
}

func TestAStopGivesWaitingMessagesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", untilStopped)
		st.say("go")
		synctest.Wait()
		st.do(Send{Session: root, Text: "typed meanwhile"})
		st.do(Stop{Session: root, Cause: CauseKey})
		synctest.Wait()
		require.Len(t, st.runs(), 1)
		var back []MessageWithdrawn
		for _, rec := range st.journal.records {
			if e, ok := rec.Event.(MessageWithdrawn); ok {
				back = append(back, e)
			}
		}
		require.Len(t, back, 1)
		require.True(t, back[0].Returned)
		require.Equal(t, "typed meanwhile", back[0].Text)
	})
}

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
		// The process dies: what it had in memory is gone, the journal stands.
		dead := st.s
		crashed := st.journal.copy()
		require.NoError(t, dead.Close(context.Background(), CauseQuit))
		st.journal = crashed
		st.open()
		defer st.close()
		for _, run := range st.runs() {
			require.Equal(t, StateInterrupted, run.State)
			require.Equal(t, CauseProcessEnd, run.Cause)
		}
		require.Equal(t, "half of it", st.child("a").Partial)
		require.True(t, st.child("a").Notification.Pending(), "nothing runs by itself after a restart")

		st.on(goOn, func(_ context.Context, port *Port) Outcome {
			require.Equal(t, TriggerContinue, port.Run().Trigger)
			return Outcome{Text: "picked up"}
		})
		reply := st.do(Continue{Session: st.child("a").Session})
		synctest.Wait()
		require.Equal(t, "picked up", st.run(reply.Runs[0].ID).Result)
	})
}

func TestAPanicIsThatRunsFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", launching("bad", "good"))
		st.on("bad", func(context.Context, *Port) Outcome { panic("index out of range") })
		st.say("go")
		synctest.Wait()
		require.Equal(t, FailPanic, st.child("bad").Error.Kind)
		require.Equal(t, StateCompleted, st.child("good").State)
	})
}

func TestWhatCannotBeRecordedIsStoppedAndSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		ready := make(chan struct{})
		st.on("go", func(_ context.Context, port *Port) Outcome {
			<-ready
			if err := port.Record(nil, Warned{Kind: WarnSilence}); err != nil {
				return Outcome{Err: err}
			}
			return Outcome{Text: "never"}
		})
		st.say("go")
		synctest.Wait()
		var seen Updates
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			_ = st.s.Watch(ctx, root, 2, func(u Updates) {
				seen.Fault = u.Fault
				seen.Unsaved = append(seen.Unsaved, u.Unsaved...)
			})
		}()
		st.journal.fails(-1)
		close(ready)
		synctest.Wait()
		require.Equal(t, "no space left on device", seen.Fault)
		require.Len(t, seen.Unsaved, 1)
		require.Equal(t, FailJournal, seen.Unsaved[0].Error.Kind)
		_, err := st.s.Do(t.Context(), Send{Session: root, Text: "hello?"})
		require.ErrorContains(t, err, "not saved")

		st.journal.heals()
		st.say("again")
		synctest.Wait()
		require.Empty(t, seen.Fault, "and it works again")
	})
}

func TestALateWatcherGetsAllWithoutGapOrRepeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		st.on("go", launching("a", "b", "c"))
		st.say("go")
		synctest.Wait()
		var got []Seq
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() {
			_ = st.s.Watch(ctx, root, 0, func(u Updates) {
				for _, rec := range u.Records {
					got = append(got, rec.Seq)
				}
			})
		}()
		synctest.Wait()
		st.say("more")
		synctest.Wait()
		require.Len(t, got, len(st.journal.records))
		for i, seq := range got {
			require.Equal(t, Seq(i+1), seq)
		}
	})
}

func TestAScopeReachesItsOwnSubagentsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		var nested, foreign error
		st.on("go", launching("a"))
		st.on("a", func(_ context.Context, port *Port) Outcome {
			_, nested = launch(port, "b", true)
			_, foreign = port.Scope().Stop(root, "mine now")
			return Outcome{Text: "ok"}
		})
		st.say("go")
		synctest.Wait()
		require.ErrorIs(t, nested, ErrDepth)
		require.ErrorIs(t, foreign, ErrUnknown)
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
			return Outcome{Text: "ok"}
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

func TestAPersonsMessageStandsOnTheCallThatStartedTheAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", func(_ context.Context, port *Port) Outcome {
			run, err := launch(port, "a", true)
			if err != nil {
				return Outcome{Err: err}
			}
			pass(time.Second)
			_, err = port.Scope().Send(run.Session, "more", "call-send")
			pass(time.Second)
			return Outcome{Text: "ok", Err: err}
		})
		st.say("go")
		pass(time.Minute)
		require.Equal(t, CallID("call-send"), st.child("a").Call)
		st.do(Send{Session: st.child("a").Session, Text: "and from me"})
		synctest.Wait()
		require.Equal(t, CallID("call-a"), st.child("a").Call)
	})
}

func TestAGrantIsForWhatAPersonMayAllow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", launching("a", "b"))
		deny := func(by string) func(context.Context, *Port) Outcome {
			return func(_ context.Context, port *Port) Outcome {
				err := port.Record(nil, PermissionDenied{Tool: "shell", Subject: "rm", By: by})
				return Outcome{Text: "ok", Err: err}
			}
		}
		st.on("a", deny("rule"))
		st.on("b", deny("nobody"))
		st.say("go")
		synctest.Wait()
		_, err := st.s.Do(t.Context(), Grant{Session: st.child("a").Session})
		require.ErrorContains(t, err, "rule", "a rule is not lifted by a key")
		st.do(Grant{Session: st.child("b").Session})
	})
}
