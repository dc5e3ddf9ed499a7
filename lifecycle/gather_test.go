package lifecycle

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// woken counts the parent's runs that nobody but the supervisor has begun.
func (st *stage) woken() (woken int) {
	for _, run := range st.runs() {
		if !run.Child() && run.Trigger == TriggerNotification {
			woken++
		}
	}
	return woken
}

func TestEndsThatAPersonCausesWakeTheParentOnce(t *testing.T) {
	for _, cause := range []Cause{CauseKey, CauseCommand} {
		synctest.Test(t, func(t *testing.T) {
			st := newStage(t)
			defer st.sound()
			defer st.close()
			st.on("go", launching("a", "b", "c"))
			for _, name := range []string{"a", "b", "c"} {
				st.on(name, untilStopped)
			}
			st.say("go")
			synctest.Wait()
			for _, name := range []string{"a", "b", "c"} {
				st.do(Stop{Session: st.child(name).Session, Cause: cause})
				synctest.Wait()
				require.Equal(t, StateCanceledByUser, st.child(name).State)
				pass(2 * time.Second)
			}
			require.Zero(t, st.woken(), "the next may follow")
			pass(time.Second)
			synctest.Wait()
			require.Equal(t, 1, st.woken())
			for _, name := range []string{"a", "b", "c"} {
				require.Equal(t, ByNotification, st.child(name).Consumed.By, "it hears of each")
			}
			require.Equal(t, st.child("a").Notification.InRun, st.child("c").Notification.InRun)
		})
	}
}

// What nobody stopped is told at once, but it is along what somebody did.
func TestAnEndOfAnotherKindDoesNotWaitForWhatAPersonStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		release := make(chan struct{})
		st.on("go", launching("a", "b"))
		st.on("a", untilStopped)
		st.on("b", released(release))
		st.say("go")
		synctest.Wait()
		st.do(Stop{Session: st.child("a").Session, Cause: CauseKey})
		synctest.Wait()
		close(release)
		synctest.Wait()
		require.Equal(t, 1, st.woken())
		require.False(t, st.child("a").Notification.Pending())
		pass(time.Minute)
		synctest.Wait()
		require.Equal(t, 1, st.woken(), "nothing is left to tell")
	})
}

// A limit of time is no person who may go on stopping.
func TestWhatATimeLimitEndsIsToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", launching("a"))
		st.on("a", untilStopped)
		st.say("go")
		synctest.Wait()
		st.do(Stop{Session: st.child("a").Session, Cause: CauseDrainTimeout})
		synctest.Wait()
		require.Equal(t, 1, st.woken())
	})
}

func TestWhoWatchesKnowsThatTheParentIsAboutToBeWoken(t *testing.T) {
	for name, row := range map[string]struct {
		meanwhile func(st *stage)
		woken     int
	}{
		"and it is":                 {func(*stage) {}, 1},
		"or its user stops it all":  {func(st *stage) { st.do(StopAll{Root: root, Cause: CauseKey}) }, 0},
		"or its user writes before": {func(st *stage) { st.say("hello") }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t)
				defer st.sound()
				defer st.close()
				st.on("go", launching("a"))
				st.on("a", untilStopped)
				st.say("go")
				synctest.Wait()
				var waking atomic.Bool
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				go func() { _ = st.s.Watch(ctx, root, 0, func(u Updates) { waking.Store(u.Waking) }) }()
				synctest.Wait()
				require.False(t, waking.Load())
				st.do(Stop{Session: st.child("a").Session, Cause: CauseKey})
				synctest.Wait()
				require.True(t, waking.Load())
				row.meanwhile(st)
				pass(4 * time.Second)
				synctest.Wait()
				require.False(t, waking.Load())
				require.Equal(t, row.woken, st.woken())
			})
		})
	}
}

func TestEveryWatcherHearsThatEverythingWasStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.say("go")
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		watched := func() *atomic.Bool {
			stopped := new(atomic.Bool)
			go func() { _ = st.s.Watch(ctx, root, 0, func(u Updates) { stopped.Store(u.AllStopped) }) }()
			synctest.Wait()
			return stopped
		}
		early := watched()
		require.False(t, early.Load())
		st.do(StopAll{Root: root, Cause: CauseKey})
		synctest.Wait()
		require.True(t, early.Load(), "though nothing was running, so that no record says it")
		late := watched()
		require.True(t, late.Load())
		st.say("go on")
		synctest.Wait()
		require.False(t, early.Load())
		require.False(t, late.Load())
	})
}

// Who reads a session that was opened again from its beginning comes to its end.
func TestWhoCatchesUpIsToldThatNoMoreComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer func() { st.sound() }()
		defer func() { st.close() }()
		st.say("go")
		synctest.Wait()
		st.close()
		st.open()
		var waking atomic.Bool
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = st.s.Watch(ctx, root, 0, func(u Updates) { waking.Store(u.Waking) }) }()
		synctest.Wait()
		require.False(t, waking.Load())
	})
}

func TestACrashWhileEndsAreGatheredLosesNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer func() { st.sound() }()
		defer func() { st.close() }()
		st.on("go", launching("a"))
		st.on("a", untilStopped)
		st.say("go")
		synctest.Wait()
		st.do(Stop{Session: st.child("a").Session, Cause: CauseKey})
		synctest.Wait()
		st.crash()
		st.open()
		pass(time.Minute)
		synctest.Wait()
		require.Zero(t, st.woken(), "a session that was opened again does nothing by itself")
		require.True(t, st.child("a").Notification.Pending())
		next := st.say("well?")
		synctest.Wait()
		require.Equal(t, next.ID, st.child("a").Notification.InRun)
	})
}

// A person speaks to a subagent: that is between the two of them, until its parent's
// user writes, or its parent's model asks for it.
func TestWhatAPersonsWordToASubagentBeganWakesNobody(t *testing.T) {
	for name, ends := range map[string]func(context.Context, *Port) Outcome{
		"completed": func(context.Context, *Port) Outcome { return Outcome{Text: "so"} },
		"empty":     func(context.Context, *Port) Outcome { return Outcome{} },
		"failed":    cannotBegin,
		"stopped":   untilStopped,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t)
				defer func() { st.sound() }()
				defer func() { st.close() }()
				st.on("go", launching("a"))
				st.say("go")
				synctest.Wait()
				require.Equal(t, 1, st.woken())
				st.on("and you?", ends)
				st.do(Send{Session: st.child("a").Session, Text: "and you?"})
				synctest.Wait()
				if name == "stopped" {
					st.do(Stop{Session: st.child("a").Session, Cause: CauseKey})
				}
				pass(time.Minute)
				synctest.Wait()
				require.True(t, st.child("a").State.Terminal())
				require.True(t, st.child("a").OfPerson())
				require.Equal(t, 1, st.woken())
				require.True(t, st.child("a").Notification.Pending())
				st.crash()
				st.open()
				require.True(t, st.child("a").Notification.Pending())
				next := st.say("well?")
				synctest.Wait()
				require.Equal(t, next.ID, st.child("a").Notification.InRun, "it goes with the user's next message")
			})
		})
	}
}

func TestWhatTheParentsModelAskedForWakesItWhoeverBeganIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		release := make(chan struct{})
		st.on("go", launching("a"))
		st.on("and you?", released(release))
		st.say("go")
		synctest.Wait()
		a := st.child("a").Session
		st.do(Send{Session: a, Text: "and you?"})
		synctest.Wait()
		st.on("ask it", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			_, err := port.Scope().Send(a, "I wonder too", "call")
			return Outcome{Text: "asked", Err: err}
		})
		st.say("ask it")
		synctest.Wait()
		before := st.woken()
		close(release)
		synctest.Wait()
		require.Greater(t, st.woken(), before, "it was promised word of the end")
	})
}

func TestAPersonWhoSpokeToASubagentIsAskedUntilTheyLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		go1, go2 := make(chan struct{}), make(chan struct{})
		asks := func(ctx context.Context, port *Port) Outcome {
			text := ""
			for _, gate := range []chan struct{}{nil, go1, go2} {
				if gate != nil {
					<-gate
				}
				answer, err := port.Ask(ctx, Question{Tool: "shell", Subject: "ls"})
				if err != nil {
					return Outcome{Err: err}
				}
				text += string(answer.By) + " "
			}
			return Outcome{Text: text}
		}
		st.on("go", launching("a"))
		st.on("a", wants(Question{Subject: "ls"}))
		st.say("go")
		synctest.Wait()
		a := st.child("a").Session
		require.Contains(t, st.child("a").Result, "nobody says no", "what the parent's model began has nobody to ask")
		st.on("look", asks)
		st.do(Send{Session: a, Text: "look"})
		synctest.Wait()
		require.Len(t, st.child("a").Asked, 1)
		st.do(Leave{Session: a})
		synctest.Wait()
		require.Len(t, st.child("a").Asked, 1, "an open question stays open")
		st.do(Resolve{Question: st.child("a").Asked[0].ID, Answer: Answer{Allow: true}})
		close(go1)
		synctest.Wait()
		require.Empty(t, st.child("a").Asked)
		require.Len(t, st.child("a").Denials, 1, "nobody looks on")
		st.do(Send{Session: a, Text: "I am back"})
		close(go2)
		synctest.Wait()
		require.Len(t, st.child("a").Asked, 1)
		st.do(Resolve{Question: st.child("a").Asked[0].ID, Answer: Answer{Allow: true}})
		synctest.Wait()
		_, err := st.s.Do(t.Context(), Leave{Session: "nobody"})
		require.ErrorIs(t, err, ErrUnknown)
	})
}
