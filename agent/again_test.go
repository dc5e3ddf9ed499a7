package agent

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestAThrottledRequestIsMadeAgainWhenTheServerSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		st := newStage(t, failing(StatusError(429, 40*time.Second, "slow down", nil)), says("at last"))
		st.open().say("go")
		<-time.After(10 * time.Second)
		synctest.Wait()
		run := st.last()
		require.Equal(t, "slow down (HTTP 429); asking again in 40s", run.Waiting.Why)
		require.True(t, run.Waiting.Discarded, "what the attempt had shown is taken back")
		require.Equal(t, "slow down (HTTP 429), again in 30s", run.Activity(lifecycle.Progress{}, time.Now()))
		<-time.After(time.Minute)
		synctest.Wait()
		defer st.close()
		require.Equal(t, "at last", st.last().Result)
		require.Empty(t, st.last().Partial)
		require.Equal(t, 40*time.Second, st.last().EndedAt.Sub(begun).Truncate(time.Second))
	})
}

func TestAllRunsOfAProviderWaitTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gate Gate
		begun := time.Now()
		require.Error(t, gate.classify("p", StatusError(429, time.Minute, "slow down", nil)))
		require.NoError(t, gate.Wait(t.Context(), "another"))
		require.Zero(t, time.Since(begun))
		require.NoError(t, gate.Wait(t.Context(), "p"))
		require.InDelta(t, time.Minute, time.Since(begun), float64(time.Second))
	})
}

func TestAWaitForTheServerCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, failing(StatusError(429, time.Hour, "slow down", nil)))
		st.open().say("go")
		synctest.Wait()
		st.do(lifecycle.Stop{Session: root, Cause: lifecycle.CauseKey})
		synctest.Wait()
		defer st.close()
		require.Equal(t, lifecycle.StateCanceledByUser, st.last().State)
	})
}

func TestASilentStreamIsCutAndAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := func(ctx context.Context, on func(Delta)) (Response, error) {
			on(Delta{Text: "…"})
			<-ctx.Done()
			return Response{}, ctx.Err()
		}
		st := newStage(t, silent, says("alive"))
		st.open().say("go")
		<-time.After(119 * time.Second)
		synctest.Wait()
		require.Len(t, st.model.requests(), 1)
		<-time.After(10 * time.Second)
		synctest.Wait()
		defer st.close()
		require.Equal(t, "alive", st.last().Result)
	})
}

func TestFailuresKeepTheirKindAndTheirText(t *testing.T) {
	stopped := func(stop StopReason) func(context.Context, func(Delta)) (Response, error) {
		return func(ctx context.Context, on func(Delta)) (Response, error) {
			answer, err := says("so far")(ctx, on)
			answer.Stop = stop
			return answer, err
		}
	}
	for name, row := range map[string]struct {
		turn    func(context.Context, func(Delta)) (Response, error)
		kind    lifecycle.FailureKind
		partial string
	}{
		"wrong key":        {failing(StatusError(401, 0, "invalid key", nil)), lifecycle.FailAuth, "half an ans"},
		"too long":         {failing(&ProviderError{Kind: lifecycle.FailContextLength, Message: "prompt is too long"}), lifecycle.FailContextLength, "half an ans"},
		"cut off":          {stopped(StopLength), lifecycle.FailTruncated, "so far"},
		"refused":          {stopped(StopRefused), lifecycle.FailRefused, "so far"},
		"unknown reason":   {stopped(StopUnknown), lifecycle.FailProvider, "so far"},
		"not an API error": {failing(errors.New("boom")), lifecycle.FailProvider, "half an ans"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newStage(t, row.turn)
				st.open().say("go")
				synctest.Wait()
				defer st.close()
				require.Equal(t, lifecycle.StateFailed, st.last().State)
				require.Equal(t, row.kind, st.last().Error.Kind)
				require.Equal(t, row.partial, st.last().Partial)
			})
		})
	}
}

func TestAnUnknownStopReasonWithWholeCallsGoesOnWithAWarning(t *testing.T) {
	strangely := func(calls ...Call) func(context.Context, func(Delta)) (Response, error) {
		return func(ctx context.Context, on func(Delta)) (Response, error) {
			answer, err := calling(calls...)(ctx, on)
			answer.Stop, answer.Refusal = StopUnknown, "something_new"
			return answer, err
		}
	}
	for name, row := range map[string]struct {
		calls []Call
		made  bool
	}{
		"whole":           {[]Call{{ID: "a", Name: "echo", Input: json.RawMessage(`{"say":"x"}`)}}, true},
		"cut off":         {[]Call{{ID: "a", Name: "echo", Input: json.RawMessage(`{"say":"x`)}}, false},
		"one is cut off":  {[]Call{{ID: "a", Name: "echo", Input: json.RawMessage(`{}`)}, {ID: "b", Name: "echo", Input: json.RawMessage(`{"sa`)}}, false},
		"no object":       {[]Call{{ID: "a", Name: "echo", Input: json.RawMessage(`["x"]`)}}, false},
		"no tool of ours": {[]Call{{ID: "a", Name: "ech", Input: json.RawMessage(`{}`)}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				made := false
				st := newStage(t, strangely(row.calls...), says("done"))
				st.tools = []Tool{{Spec: ToolSpec{Name: "echo"}, ReadOnly: true, Run: func(context.Context, Invocation) Result {
					made = true
					return Result{Text: "x"}
				}}}
				st.open().say("go")
				synctest.Wait()
				defer st.close()
				require.Equal(t, row.made, made)
				if !row.made {
					require.Equal(t, lifecycle.FailProvider, st.last().Error.Kind)
					return
				}
				require.Equal(t, lifecycle.StateCompleted, st.last().State)
				require.Equal(t, lifecycle.WarnStop, st.last().Warnings[0].Kind)
				require.Contains(t, st.last().Warnings[0].Message, "something_new")
			})
		})
	}
}

func TestARefusalKeepsTheModelsWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, func(context.Context, func(Delta)) (Response, error) {
			return Response{Message: Message{Role: RoleAssistant}, Stop: StopRefused, Refusal: "It is too hot."}, nil
		})
		st.open().say("go")
		synctest.Wait()
		defer st.close()
		require.Equal(t, &lifecycle.Failure{
			Kind: lifecycle.FailRefused, Message: "the model, or a filter in front of it, declined to answer: It is too hot.",
		}, st.last().Error)
	})
}

func TestAnOverloadedServerIsGivenUpAfterSixTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var turns []func(context.Context, func(Delta)) (Response, error)
		for range 9 {
			turns = append(turns, failing(StatusError(529, 0, "overloaded", nil)))
		}
		st := newStage(t, turns...)
		st.open().say("go")
		<-time.After(time.Hour)
		synctest.Wait()
		defer st.close()
		require.Len(t, st.model.requests(), 6)
		require.Equal(t, lifecycle.FailProvider, st.last().Error.Kind)
		require.Equal(t, "half an ans", st.last().Partial)
	})
}
