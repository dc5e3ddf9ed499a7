package lifecycle

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// When a conversation is summed up at a person's wish, and what else that does:
// nothing.

// summing is a worker that sums up and says so.
func summing(_ context.Context, port *Port) Outcome {
	if err := port.Record(nil, Compacted{Summary: "so far", Before: 9, After: 1}); err != nil {
		return Outcome{Err: err}
	}
	return Outcome{Text: "Compacted."}
}

// triggers are what made the root's runs begin, in their order.
func (st *stage) triggers() (list []Trigger) {
	for _, run := range st.runs() {
		if !run.Subagent() {
			list = append(list, run.Trigger)
		}
	}
	return list
}

// said lists the texts that entered the root's transcript as a user's.
func (st *stage) said() (n int) {
	for _, entry := range st.journal.entries {
		if entry.Session == root && entry.Kind == EntryUser {
			n++
		}
	}
	return n
}

func TestAnIdleSessionIsSummedUpAtOnceAndNobodyWroteAnything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("keep the SQL", summing)
		_, err := st.s.Do(t.Context(), Compact{Session: root})
		require.ErrorIs(t, err, errNothingYet)
		st.say("go")
		synctest.Wait()
		reply := st.do(Compact{Session: root, Instructions: "keep the SQL"})
		require.False(t, reply.Later)
		synctest.Wait()
		run := st.run(reply.Runs[0].ID)
		require.Equal(t, []Trigger{TriggerUser, TriggerCompact}, st.triggers())
		require.Equal(t, StateCompleted, run.State)
		require.Equal(t, "test/m", run.Model)
		require.Zero(t, run.Step)
		require.Equal(t, 1, st.said(), "the wish stands in no transcript")
	})
}

func TestABusySessionIsSummedUpAfterItsRunAndBeforeWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		release := make(chan struct{})
		st.on("go", released(release))
		st.on("the second", summing)
		st.say("go")
		synctest.Wait()
		st.do(Send{Session: root, Text: "and this"})
		st.do(Compact{Session: root, Instructions: "the first"})
		reply := st.do(Compact{Session: root, Instructions: "the second"})
		require.True(t, reply.Later)
		require.Equal(t, TriggerUser, reply.Runs[0].Trigger)
		close(release)
		synctest.Wait()
		require.Equal(t, []Trigger{TriggerUser, TriggerCompact, TriggerMessage}, st.triggers())
		require.Empty(t, st.returned())
		require.Equal(t, 2, st.said())
		require.Nil(t, st.s.trees[root].pendingCompact)
	})
}

func TestAStopTakesTheWishBack(t *testing.T) {
	for name, stop := range map[string]Command{
		"of the run": Stop{Session: root, Cause: CauseKey}, "of all": StopAll{Root: root, Cause: CauseKey},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t)
				defer st.sound()
				defer st.close()
				st.on("go", untilStopped)
				st.say("go")
				synctest.Wait()
				st.do(Compact{Session: root})
				st.do(stop)
				synctest.Wait()
				require.Equal(t, []Trigger{TriggerUser}, st.triggers())
			})
		})
	}
}

func TestAWishDiesWithItsProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.on("go", untilStopped)
		st.say("go")
		synctest.Wait()
		st.do(Compact{Session: root})
		st.close()
		require.Equal(t, []Trigger{TriggerUser}, st.triggers())
		_, err := st.s.Do(t.Context(), Compact{Session: root})
		require.ErrorIs(t, err, ErrClosing)
	})
}

func TestOnlyARootIsSummedUpByAWish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		st.on("go", launching("a"))
		st.on("a", untilStopped)
		st.on("", untilStopped)
		st.say("go")
		synctest.Wait()
		_, err := st.s.Do(t.Context(), Compact{Session: st.child("a").Session})
		require.ErrorIs(t, err, errSumsUpItself)
		st.do(Compact{Session: root})
		synctest.Wait()
		_, err = st.s.Do(t.Context(), Compact{Session: root})
		require.ErrorIs(t, err, errSummingUp)
	})
}

func TestASummaryTakesNoNotificationInAndTheParentIsWokenAfterIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		child, summary := make(chan struct{}), make(chan struct{})
		st.on("go", launching("a"))
		st.on("a", released(child))
		st.on("sum", func(ctx context.Context, port *Port) Outcome {
			<-summary
			return summing(ctx, port)
		})
		st.say("go")
		synctest.Wait()
		st.do(Compact{Session: root, Instructions: "sum"})
		close(child)
		synctest.Wait()
		require.True(t, st.child("a").Notification.Pending())
		close(summary)
		synctest.Wait()
		require.Equal(t, []Trigger{TriggerUser, TriggerCompact, TriggerNotification}, st.triggers())
		require.Equal(t, ByNotification, st.child("a").Consumed.By)
	})
}

func TestASummaryDoesNotLiftTheStopBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		child := make(chan struct{})
		st.on("go", func(ctx context.Context, port *Port) Outcome {
			if out := launching("a")(ctx, port); out.Err != nil {
				return out
			}
			<-ctx.Done()
			return Outcome{Err: context.Cause(ctx)}
		})
		st.on("a", released(child))
		st.on("sum", summing)
		st.say("go")
		synctest.Wait()
		st.do(Stop{Session: root, Cause: CauseKey})
		synctest.Wait()
		st.do(Compact{Session: root, Instructions: "sum"})
		synctest.Wait()
		close(child)
		synctest.Wait()
		require.True(t, st.child("a").Notification.Pending(), "it goes with the user's next message")
		st.say("go on")
		synctest.Wait()
		require.False(t, st.child("a").Notification.Pending())
	})
}

func TestASessionJustReopenedStaysHeldBackAfterASummaryThatWasCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		st.on("sum", untilStoppedSilently)
		st.say("go")
		synctest.Wait()
		st.do(Compact{Session: root, Instructions: "sum"})
		synctest.Wait()
		st.crash()
		st.open()
		defer st.sound()
		defer st.close()
		st.on("sum", summing)
		st.do(Continue{Session: root})
		synctest.Wait()
		require.Equal(t, []Trigger{TriggerUser, TriggerCompact, TriggerCompact}, st.triggers(), "continued, it is the same again")
		snap, err := st.s.Snapshot(root)
		require.NoError(t, err)
		require.True(t, snap.Reopened, "nobody wrote")
	})
}

// untilStoppedSilently works until it is stopped, but it is no step.
func untilStoppedSilently(ctx context.Context, _ *Port) Outcome {
	<-ctx.Done()
	return Outcome{Err: context.Cause(ctx)}
}

func TestAMessageToARunThatCouldNotSumUpGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.sound()
		defer st.close()
		release := make(chan struct{})
		st.on("sum", func(ctx context.Context, port *Port) Outcome {
			<-release
			return cannotBegin(ctx, port)
		})
		st.say("go")
		synctest.Wait()
		st.do(Compact{Session: root, Instructions: "sum"})
		st.do(Send{Session: root, Text: "and this"})
		close(release)
		synctest.Wait()
		require.Equal(t, []string{"and this"}, st.returned())
		require.Equal(t, []Trigger{TriggerUser, TriggerCompact}, st.triggers())
	})
}

func TestAWishOutlivesARunWhoseEndWasNotSaved(t *testing.T) {
	quietly(t)
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t)
		defer st.close()
		release := make(chan struct{})
		st.on("go", released(release))
		st.on("sum", summing)
		st.say("go")
		synctest.Wait()
		st.do(Compact{Session: root, Instructions: "sum"})
		st.journal.fails(-1)
		close(release)
		synctest.Wait()
		require.Equal(t, []Trigger{TriggerUser}, st.triggers())
		st.journal.heals()
		pass(3 * retryAfter)
		synctest.Wait()
		require.Equal(t, []Trigger{TriggerUser, TriggerCompact}, st.triggers())
		require.Nil(t, st.s.trees[root].pendingCompact)
	})
}
