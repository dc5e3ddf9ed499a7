package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

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

// Its parent's model was told that the message would be delivered.
func TestAMessageThatASubagentNeverReadIsToldToItsParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("a", untilStopped)
		st.on("go", func(_ context.Context, port *Port) Outcome {
			run, err := launch(port, "a", true)
			if err != nil {
				return Outcome{Err: err}
			}
			pass(time.Second)
			_, err = port.Scope().Send(run.Session, "more", "call-send")
			return Outcome{Text: "ok", Err: err}
		})
		st.say("go")
		pass(2 * time.Second)
		st.do(Stop{Session: st.child("a").Session, Cause: CauseKey})
		synctest.Wait()
		require.Equal(t, 1, st.child("a").Unread)
		require.Equal(t, 1, notice(st.child("a"), 0).Unread)
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

func TestAnAgentsMessageThatComesTooLateStandsOnItsOwnCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		release := make(chan struct{})
		st.on("a", released(release))
		st.on("go", launching("a"))
		st.say("go")
		synctest.Wait()
		agent := st.child("a").Session
		st.on("more", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			_, err := port.Scope().Send(agent, "and this", "call-send")
			return Outcome{Text: "ok", Err: err}
		})
		sender := st.say("more")
		synctest.Wait()
		close(release) // it ends before its next step
		synctest.Wait()
		var own []Run
		for _, run := range st.runs() {
			if run.Session == agent {
				own = append(own, run)
			}
		}
		require.Len(t, own, 2)
		require.Equal(t, CallID("call-a"), own[0].Call)
		require.Equal(t, CallID("call-send"), own[1].Call)
		require.Equal(t, sender.ID, own[1].ParentRun)
		require.Equal(t, FromAgent, own[1].From)
	})
}

func TestAMessageWithoutTextIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		_, err := st.s.Do(t.Context(), Send{Session: root, Text: " \n"})
		require.ErrorIs(t, err, errBlank)
		require.Empty(t, st.runs())
		st.on("go", untilStopped)
		st.say("go")
		waits := st.do(Send{Session: root, Text: "wait"})
		_, err = st.s.Do(t.Context(), EditMessage{Session: root, Message: waits.Message, Text: ""})
		require.ErrorIs(t, err, errBlank, "no model takes an empty message")
	})
}
