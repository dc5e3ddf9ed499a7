package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A journal that refuses takes nothing down that it need not, and what waited
// for it goes on when it is well again.

func TestAQueuedRunStartsOnceTheJournalWorksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Limits.Background = 1 })
		defer st.close()
		release := make(chan struct{})
		st.on("go", launching("a", "b"))
		st.on("a", released(release))
		st.say("go")
		synctest.Wait()
		require.Equal(t, StateQueued, st.child("b").State)
		st.journal.fails(-1)
		close(release) // a's end cannot be saved: it is lost, and holds no slot
		synctest.Wait()
		pass(time.Minute)
		st.journal.heals()
		pass(time.Minute)
		synctest.Wait()
		require.Equal(t, StateCompleted, st.child("b").State)
	})
}

func TestCloseDoesNotWaitForAStartThatWasTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Limits.Background = 1 })
		release, more := make(chan struct{}), make(chan struct{})
		st.on("a", released(release))
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if out := launching("a")(ctx, port); out.Err != nil {
				return out
			}
			<-more
			_, err := launch(port, "b", true)
			return Outcome{Text: "ok", Err: err}
		})
		st.say("go")
		synctest.Wait()
		goOn := st.journal.hold()
		go func() { _, _ = st.s.Do(t.Context(), Send{Session: root, Text: "this one is being written"}) }()
		synctest.Wait()
		close(more) // b is spawned, in line …
		synctest.Wait()
		close(release) // … and started by the end of a, both not yet written
		synctest.Wait()
		st.journal.fails(-1)
		goOn()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		require.NoError(t, st.s.Close(ctx, CauseQuit))
	})
}

func TestARunWhoseEndWasNotSavedTakesNoFurtherRecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var got, read Run
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			run, err := launch(port, "look", false)
			if err != nil {
				return Outcome{Err: err}
			}
			if got, err = port.Scope().Wait(ctx, run.ID); err != nil {
				return Outcome{Err: err}
			}
			if read, err = port.Scope().Latest(run.Session); err != nil {
				return Outcome{Err: err}
			}
			return Outcome{Text: "ok", Err: answer(port, run.Call, Told{run.ID, ByToolResult})}
		})
		st.on("look", func(context.Context, *Port) Outcome {
			st.journal.fails(1)
			return Outcome{Text: "found"}
		})
		st.say("go")
		synctest.Wait()
		require.Equal(t, StateFailed, got.State)
		require.Equal(t, FailJournal, got.Error.Kind)
		require.Equal(t, StateFailed, read.State, "a scope says the same")
		require.Equal(t, StateCompleted, st.runs()[0].State)
		require.Nil(t, st.child("look").Consumed)
	})
}

func TestAnAnswerThatWasNotSavedIsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var answers []Answer
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			for range 2 {
				answer, err := port.Ask(ctx, Question{Tool: "shell", Subject: "ls"})
				if err != nil {
					return Outcome{Err: err}
				}
				answers = append(answers, answer)
			}
			return Outcome{Text: "ok"}
		})
		st.say("go")
		synctest.Wait()
		yes := Resolve{Question: st.runs()[0].Asked[0].ID, Answer: Answer{Allow: true, Scope: GrantSession}}
		st.journal.fails(1)
		_, err := st.s.Do(t.Context(), yes)
		require.ErrorContains(t, err, "not saved")
		synctest.Wait()
		require.Empty(t, answers, "nobody acts on what is not on disk")
		st.do(yes)
		synctest.Wait()
		require.Len(t, answers, 2, "the person can answer again, and the yes reaches the next question")
		_, err = st.s.Do(t.Context(), yes)
		require.ErrorIs(t, err, ErrUnknown, "but once")
	})
}

func TestARunWhoseEndWasNotSavedAsksNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			_, err := port.Ask(ctx, Question{Tool: "shell", Subject: "ls"})
			return Outcome{Err: err}
		})
		st.say("go")
		synctest.Wait()
		var unsaved []Run
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = st.s.Watch(ctx, root, 0, func(u Updates) { unsaved = append(unsaved, u.Unsaved...) }) }()
		st.journal.fails(-1)
		_, err := st.s.Do(t.Context(), Stop{Session: root, Cause: CauseKey})
		require.Error(t, err)
		synctest.Wait()
		require.Len(t, unsaved, 1)
		require.Empty(t, unsaved[0].Asked)
		st.journal.heals()
	})
}

func TestAMessageThatWasNotSavedIsNotTheUsersWord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.say("go")
		synctest.Wait()
		st.close()
		st.open()
		defer st.close()
		st.journal.fails(1)
		_, err := st.s.Do(t.Context(), Send{Session: root, Text: "hello?"})
		require.ErrorContains(t, err, "not saved")
		snap, err := st.s.Snapshot(root)
		require.NoError(t, err)
		require.True(t, snap.Reopened)
	})
}

func TestAWakeUpThatWasNotSavedIsNotCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(o *Options) { o.Limits.AutoResumes = 1 })
		defer st.sound()
		defer st.close()
		a, b := make(chan struct{}), make(chan struct{})
		st.on("go", launching("a", "b"))
		st.on("a", released(a))
		st.on("b", released(b))
		st.say("go")
		synctest.Wait()
		st.journal.fails(1)
		close(a)
		synctest.Wait()
		close(b)
		synctest.Wait()
		require.Equal(t, ByNotification, st.child("b").Consumed.By)
	})
}

func TestAnOverdueThatCouldNotBeSavedIsSaidLater(t *testing.T) {
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
		st.say("go")
		pass(9 * time.Minute)
		st.journal.fails(1)
		pass(2 * time.Minute)
		synctest.Wait()
		require.False(t, got.OverdueAt.IsZero())
		pass(time.Hour)
		synctest.Wait()
		require.Equal(t, ByNotification, st.child("slow").Consumed.By, "its result is not lost")
	})
}

func TestASessionThatCouldNotBeRevivedIsNotOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.on("go", untilStopped)
		st.say("go")
		synctest.Wait()
		crashed := st.journal.copy()
		st.close()
		st.journal = crashed
		st.s = New(Options{Journal: crashed, Work: st.work, Limits: DefaultLimits()})
		defer st.close()
		crashed.fails(1)
		_, err := st.s.Open(t.Context(), root, Spec{})
		require.Error(t, err)
		snap, err := st.s.Open(t.Context(), root, Spec{})
		require.NoError(t, err)
		require.Equal(t, StateInterrupted, snap.Runs[0].State, "no run is shown alive that nobody works on")
	})
}

func TestTwoWhoOpenASessionAtOnceGetTheSameOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		st.say("go")
		synctest.Wait()
		st.close()
		st.on("work", untilStopped)
		st.s = New(Options{Journal: st.journal, Work: st.work, Limits: DefaultLimits()})
		defer st.close()
		first, second, opened := make(chan struct{}), make(chan struct{}), make(chan struct{})
		st.journal.loading = first
		go func() {
			_, err := st.s.Open(t.Context(), root, Spec{})
			require.NoError(t, err)
			st.say("work")
		}()
		synctest.Wait()
		go func() {
			defer close(opened)
			_, err := st.s.Open(t.Context(), root, Spec{})
			require.NoError(t, err)
		}()
		st.journal.mu.Lock()
		st.journal.loading = second
		st.journal.mu.Unlock()
		synctest.Wait()
		close(first)
		synctest.Wait()
		close(second)
		<-opened
		synctest.Wait()
		require.Equal(t, StateRunning, st.runs()[1].State, "the second does not interrupt what the first began")
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

func TestAFaultIsOverWhenTheJournalIsWellAlsoWhereNothingWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		var faults []string
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _ = st.s.Watch(ctx, root, 0, func(u Updates) { faults = append(faults, u.Fault) }) }()
		st.journal.fails(-1)
		_, err := st.s.Do(t.Context(), Send{Session: root, Text: "hello?"})
		require.ErrorContains(t, err, "not saved")
		pass(time.Minute)
		synctest.Wait()
		require.Equal(t, []string{"no space left on device"}, faults, "said once, and as long as it lasts")
		st.journal.heals()
		pass(2 * retryAfter)
		synctest.Wait()
		require.Equal(t, []string{"no space left on device", ""}, faults, "and so is its end")
		tried := st.journal.tried
		pass(time.Hour)
		require.Equal(t, tried, st.journal.tried, "a journal that is well is not tried")
		require.Empty(t, st.journal.records)
	})
}

// The end of the run that it waited for could not be saved, so nothing follows that end.
func TestAMessageThatWaitedForARunWhoseEndWasNotSavedIsAnsweredOnceThereIsRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		written := make(chan struct{})
		st.on("go", func(_ context.Context, port *Port) Outcome {
			if _, err := port.Step(); err != nil {
				return Outcome{Err: err}
			}
			<-written
			st.journal.fails(-1)
			return Outcome{Text: "ok"}
		})
		st.say("go")
		synctest.Wait()
		st.say("and now?")
		close(written)
		synctest.Wait()
		pass(3 * retryAfter)
		require.Len(t, st.runs(), 1, "the disk is full")
		st.journal.heals()
		pass(3 * retryAfter)
		synctest.Wait()
		require.Len(t, st.runs(), 2)
		require.Equal(t, StateCompleted, st.runs()[1].State)
		snap, err := st.s.Snapshot(root)
		require.NoError(t, err)
		require.Empty(t, snap.Inbox[root])
	})
}

// What keeps the end of a run until then, on another machine, may let go of it.
func TestAWorkerHearsOfTheEndOnceThatIsOnDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		heard := 0
		work := func(fails int) func(context.Context, *Port) Outcome {
			return func(_ context.Context, port *Port) Outcome {
				if _, err := port.Step(); err != nil {
					return Outcome{Err: err}
				}
				st.journal.fails(fails)
				return Outcome{Text: "done", Saved: func() { heard++ }}
			}
		}
		st.on("saved", work(0))
		st.say("saved")
		synctest.Wait()
		require.Equal(t, 1, heard)
		st.on("unsaved", work(1))
		st.say("unsaved")
		synctest.Wait()
		require.Equal(t, 1, heard, "the end could not be written")
	})
}
