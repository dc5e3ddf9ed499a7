package lifecycle

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

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
