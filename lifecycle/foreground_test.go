package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"sync"
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

func TestADetachOfSeveralSaysWhichDidNotGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Limits.Background = 1 })
		defer st.sound()
		defer st.close()
		st.on("first", untilStopped)
		st.on("second", untilStopped)
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			var calls sync.WaitGroup
			for _, name := range []string{"first", "second"} {
				var got Run
				calls.Go(func() { _ = awaiting(ctx, port, name, &got) })
			}
			calls.Wait()
			return Outcome{Text: "ok", Err: context.Cause(ctx)}
		})
		st.say("go")
		synctest.Wait()
		reply, err := st.s.Do(t.Context(), DetachForeground{Session: root})
		require.NoError(t, err)
		require.Len(t, reply.Runs, 1)
		require.Contains(t, reply.Refused, ErrNoSlot.Error())
	})
}

func TestTheTenMinutesCountFromTheCallQueueingIncluded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Limits.Foreground = 1 })
		defer st.sound()
		defer st.close()
		first, second, third := make(chan struct{}), make(chan struct{}), make(chan struct{})
		st.on("first", released(first))
		st.on("second", released(second))
		st.on("third", released(third))
		began := time.Now()
		answered := map[string]time.Duration{}
		got := map[string]Run{}
		var mu sync.Mutex
		back := func() int { mu.Lock(); defer mu.Unlock(); return len(got) }
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			var calls sync.WaitGroup
			for _, name := range []string{"first", "second", "third"} {
				run, err := launch(port, name, false)
				if err != nil {
					return Outcome{Err: err}
				}
				calls.Go(func() {
					run, err := port.Scope().Wait(ctx, run.ID)
					require.NoError(t, err)
					require.NoError(t, answer(port, run.Call, told(run, ByToolResult)...))
					mu.Lock()
					defer mu.Unlock()
					got[name], answered[name] = run, time.Since(began)
				})
			}
			calls.Wait()
			return Outcome{Text: "ok"}
		})
		st.say("go")
		pass(4 * time.Minute)
		close(first)
		pass(6*time.Minute - time.Second)
		synctest.Wait()
		require.Equal(t, 1, back(), "a second before, both calls wait")
		pass(time.Second)
		synctest.Wait()
		require.Equal(t, 3, back(), "at ten minutes both have come back")
		require.Equal(t, 10*time.Minute, answered["second"])
		require.Equal(t, StateRunning, got["second"].State, "it worked for six of them")
		require.Equal(t, 10*time.Minute, answered["third"])
		require.False(t, got["third"].OverdueAt.IsZero())
		require.Equal(t, StateRunning, st.child("third").State, "the second holds no slot any more")
		pass(35 * time.Minute)
		synctest.Wait()
		require.Equal(t, StateRunning, st.child("second").State, "nothing kills it, however long it is silent")
		close(second)
		close(third)
		synctest.Wait()
		require.Equal(t, ByNotification, st.child("second").Consumed.By)
		require.Equal(t, ByNotification, st.child("third").Consumed.By)
	})
}

func TestAClockThatWasPutBackDoesNotPutOffTheWarning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		waits := make(chan Run, 1)
		st.on("look", untilStopped)
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			run, err := launch(port, "look", false)
			if err != nil {
				return Outcome{Err: err}
			}
			h, err := port.Scope().own(run.ID)
			if err != nil {
				return Outcome{Err: err}
			}
			tomorrow := *h.saved
			tomorrow.SpawnedAt = tomorrow.SpawnedAt.Add(24 * time.Hour)
			st.s.mu.Lock()
			h.saved = &tomorrow
			st.s.mu.Unlock()
			run, err = port.Scope().Wait(ctx, run.ID)
			waits <- run
			return Outcome{Text: "ok", Err: errors.Join(err, answer(port, run.Call))}
		})
		st.say("go")
		pass(11 * time.Minute)
		require.False(t, (<-waits).OverdueAt.IsZero())
	})
}
