package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// breaking shows text and thinking, has spent some, and breaks.
func breaking(err error, spent lifecycle.Usage, pieces ...Delta) func(context.Context, func(Delta)) (Response, error) {
	return func(_ context.Context, on func(Delta)) (Response, error) {
		for _, piece := range pieces {
			on(piece)
		}
		return Response{Usage: spent}, err
	}
}

func (st *stage) waits() (all []lifecycle.Waiting) {
	for _, rec := range st.journal.records {
		if w, ok := rec.Event.(lifecycle.Waiting); ok {
			all = append(all, w)
		}
	}
	return all
}

var cutOff = StatusError(500, 0, "cut off", nil)

func TestWhatAFailedAttemptHasCostIsCounted(t *testing.T) {
	spent := lifecycle.Usage{InputTokens: 1000, CachedTokens: 400, OutputTokens: 50}
	for name, row := range map[string]struct {
		turns []func(context.Context, func(Delta)) (Response, error)
		want  lifecycle.Usage
		state lifecycle.State
	}{
		"and another succeeds": {
			[]func(context.Context, func(Delta)) (Response, error){breaking(cutOff, spent, Delta{Text: "half"}), breaking(cutOff, spent), says("whole")},
			lifecycle.Usage{InputTokens: 2010, CachedTokens: 800, OutputTokens: 102, Steps: 1},
			lifecycle.StateCompleted,
		},
		"and it was the last, with text": {
			[]func(context.Context, func(Delta)) (Response, error){breaking(StatusError(400, 0, "no", nil), spent, Delta{Text: "half"})},
			lifecycle.Usage{InputTokens: 1000, CachedTokens: 400, OutputTokens: 50, Steps: 1},
			lifecycle.StateFailed,
		},
		"and it was the last, without": {
			[]func(context.Context, func(Delta)) (Response, error){breaking(StatusError(400, 0, "no", nil), spent)},
			lifecycle.Usage{InputTokens: 1000, CachedTokens: 400, OutputTokens: 50, Steps: 1},
			lifecycle.StateFailed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t, row.turns...)
				st.named = "anthropic/claude-sonnet-4-5"
				st.open().say("go")
				<-time.After(time.Minute)
				synctest.Wait()
				defer st.close()
				require.Equal(t, row.state, st.last().State)
				got := st.last().Usage
				require.InDelta(t, InfoOf(st.named).Cost(row.want), got.Cost, 1e-9)
				got.Cost = 0
				require.Equal(t, row.want, got)
			})
		})
	}
}

func TestWhatAStoppedAttemptHasCostIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(ctx context.Context, _ func(Delta)) (Response, error) {
			<-ctx.Done()
			return Response{Usage: lifecycle.Usage{InputTokens: 7}}, ctx.Err()
		})
		st.open().say("go")
		synctest.Wait()
		st.do(lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey})
		synctest.Wait()
		defer st.close()
		require.Equal(t, lifecycle.StateCanceledByUser, st.last().State)
		require.Equal(t, int64(7), st.last().Usage.InputTokens)
	})
}

// The clock on the wall went on and the other stood still, or the other way round
// a timer came far too late: in sleep connections die without a word.
func TestAnAttemptThatTheMachineSleptThroughIsMadeAgainAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		slept := time.Duration(0)
		hanging := func(ctx context.Context, on func(Delta)) (Response, error) {
			on(Delta{Text: "half"})
			<-ctx.Done()
			return Response{}, ctx.Err()
		}
		st := newStage(t, hanging, says("awake"))
		st.wall = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return wallClock().Add(slept)
		}
		st.open().say("go")
		<-time.After(time.Minute)
		synctest.Wait()
		require.Len(t, st.model.requests(), 1, "no sleep, no doubt")
		mu.Lock()
		slept = time.Hour
		mu.Unlock()
		<-time.After(clockInterval)
		synctest.Wait()
		defer st.close()
		require.Equal(t, "awake", st.last().Result)
		require.Equal(t, []lifecycle.Waiting{{Why: "the machine slept while the model answered; asking again", Attempt: 1, Discarded: true}}, st.waits())
	})
}

func TestATimerThatComesFarTooLateMeansSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cut := context.WithCancelCause(t.Context())
		w := newStreamWatch(time.Hour, wallClock, cut)
		defer w.stop()
		w.clockTimer.Stop() // the machine keeps it waiting
		<-time.After(clockInterval + sleepTolerance)
		w.compare()
		require.NoError(t, context.Cause(ctx), "a busy machine")
		w.clockTimer.Stop()
		<-time.After(clockInterval + sleepTolerance + 1)
		w.compare()
		require.Equal(t, errSlept, context.Cause(ctx))
	})
}

func TestAnAnswerWithoutEndIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		endless := func(ctx context.Context, on func(Delta)) (Response, error) {
			for piece := strings.Repeat("la ", 10_000); ctx.Err() == nil; {
				on(Delta{Text: piece})
			}
			return Response{}, ctx.Err()
		}
		st := newStage(t, endless)
		st.open().say("go")
		synctest.Wait()
		defer st.close()
		require.Equal(t, &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "the model wrote more than 4 MB in one answer, without end"}, st.last().Error)
		require.Len(t, st.model.requests(), 1, "it would do so again")
	})
}

func TestAWaitThatNoServerMeansIsBoundedAndSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		st := newStage(t, failing(StatusError(429, 1000*time.Hour, "slow down", nil)), says("at last"))
		st.open().say("go")
		<-time.After(time.Hour)
		synctest.Wait()
		defer st.close()
		require.Equal(t, "at last", st.last().Result)
		require.Equal(t, "slow down (HTTP 429); it asks for a pause of 1000h0m0s, which is longer than Pawl waits; asking again in 10m0s", st.waits()[0].Why)
		require.InDelta(t, 10*time.Minute, st.last().EndedAt.Sub(begun), float64(time.Second))
	})
}

func TestThinkingThatWasShownIsTakenBackToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, breaking(cutOff, lifecycle.Usage{}, Delta{Thinking: "hm"}), breaking(cutOff, lifecycle.Usage{}), says("done"))
		st.open().say("go")
		<-time.After(time.Minute)
		synctest.Wait()
		defer st.close()
		waits := st.waits()
		require.Len(t, waits, 2)
		require.True(t, waits[0].Discarded)
		require.False(t, waits[1].Discarded, "nothing was shown")
		require.Equal(t, "done", st.last().Result)
	})
}

func TestTriesAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := slices.Repeat([]func(context.Context, func(Delta)) (Response, error){failing(cutOff)}, 10)
		st := newStage(t, fails...)
		st.open().say("go")
		<-time.After(10 * time.Minute)
		synctest.Wait()
		defer st.close()
		require.Len(t, st.model.requests(), int(DefaultRetryPolicy().Tries))
		require.Len(t, st.waits(), int(DefaultRetryPolicy().Tries)-1)
		require.Equal(t, "cut off (HTTP 500)", st.last().Error.Message)
		require.Equal(t, "half an ans", st.last().Partial, "what was shown last is kept")
	})
}

func TestWaitsHaveFullJitterUnderADoublingBound(t *testing.T) {
	p := RetryPolicy{First: time.Second, Longest: 30 * time.Second}
	bounds := []time.Duration{1, 2, 4, 8, 16, 30, 30}
	least, most := make([]time.Duration, len(bounds)), make([]time.Duration, len(bounds))
	for try := range 2000 {
		policy := p.policy()
		policy.Reset()
		for i, bound := range bounds {
			wait := policy.NextBackOff()
			require.LessOrEqual(t, wait, bound*time.Second+1)
			if try == 0 || wait < least[i] {
				least[i] = wait
			}
			most[i] = max(most[i], wait)
		}
	}
	for i, bound := range bounds {
		require.Less(t, least[i], bound*time.Second/10, "from nothing")
		require.Greater(t, most[i], bound*time.Second*9/10, "to all of it")
	}
}

// One run is throttled. The others of that provider neither ask meanwhile nor all
// in the same moment after it, each says why it is quiet, and all ask within a
// second of what the server said.
func TestFiveRunsHonourOneRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var asked []time.Duration
		begun := time.Now()
		throttled := func(ctx context.Context, on func(Delta)) (Response, error) {
			mu.Lock()
			asked = append(asked, time.Since(begun))
			mu.Unlock()
			if time.Since(begun) < 40*time.Second {
				return Response{}, StatusError(429, 40*time.Second, "slow down", nil)
			}
			return says("done")(ctx, on)
		}
		made := func() []time.Duration {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(asked)
		}
		var gate Gate
		var stages []*stage
		for range 5 {
			st := newStage(t, throttled, throttled, throttled)
			st.gate = &gate
			stages = append(stages, st.open())
		}
		stages[0].say("go")
		synctest.Wait()
		for _, st := range stages[1:] {
			st.say("go")
		}
		<-time.After(5 * time.Second)
		synctest.Wait()
		require.Len(t, made(), 1)
		require.Equal(t, "test has asked for a pause; asking in 40s", stages[4].last().Waiting.Why)
		<-time.After(time.Minute)
		synctest.Wait()
		for _, st := range stages {
			defer st.close()
			require.Equal(t, "done", st.last().Result)
		}
		require.Len(t, made(), 6)
		moments := map[time.Duration]bool{}
		for _, at := range made()[1:] {
			moments[at] = true
			require.InDelta(t, 40*time.Second, at, float64(time.Second))
		}
		require.Len(t, moments, 5, "none in the same moment as another")
	})
}

func TestAStopEndsAWaitForAnothersPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, says("never"))
		st.gate = &Gate{}
		require.Error(t, st.gate.classify("test", StatusError(503, time.Hour, "busy", nil)))
		st.open().say("go")
		synctest.Wait()
		st.do(lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey})
		synctest.Wait()
		defer st.close()
		require.Equal(t, lifecycle.StateCanceledByUser, st.last().State)
		require.Empty(t, st.model.requests())
	})
}

func TestAFailureThatNothingHelpsIsNotRetried(t *testing.T) {
	for _, err := range []error{
		StatusError(400, 0, "no", nil), StatusError(401, 0, "no key", nil), StatusError(413, 0, "too long", nil), errors.New("a bug"),
	} {
		synctest.Test(t, func(t *testing.T) {
			st := newStage(t, failing(err))
			st.open().say("go")
			synctest.Wait()
			defer st.close()
			require.Equal(t, lifecycle.StateFailed, st.last().State)
			require.Len(t, st.model.requests(), 1)
			require.Empty(t, st.waits())
		})
	}
}
