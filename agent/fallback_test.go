package agent

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// twoModels is a loop with a model and its fallback, each with a script of its own.
type twoModels struct {
	*stage
	main, other *model
	cannot      error // why the fallback cannot be resolved
}

const (
	mainModel  = "anthropic/claude-opus-5-5"
	otherModel = "openai/gpt-4.1"
)

func newTwoModels(t *testing.T, main ...func(context.Context, func(Delta)) (Response, error)) *twoModels {
	st := newStage(t, main...)
	return &twoModels{stage: st, main: st.model, other: &model{}}
}

func (st *twoModels) begin() {
	loop := Loop{
		Fallback: otherModel, Entries: st.journal.of, Gate: &Gate{},
		Resolve: func(name string) (Provider, string, error) {
			if name == mainModel {
				return st.main, "claude-opus-5-5", nil
			}
			return st.other, "gpt-4.1", st.cannot
		},
		Kit: func(context.Context, lifecycle.Run) (Kit, error) {
			return Kit{Prompt: SystemPrompt{{Text: "sys"}}, Tools: st.tools}, nil
		},
	}
	st.s = lifecycle.New(lifecycle.Options{Journal: st.journal, Work: inProcess(loop), Limits: lifecycle.DefaultLimits(), Attended: true})
	_, err := st.s.Open(st.t.Context(), root, lifecycle.Spec{Model: mainModel})
	require.NoError(st.t, err)
}

func (st *twoModels) play(text string) lifecycle.Run {
	st.say(text)
	<-time.After(10 * time.Minute)
	synctest.Wait()
	return st.last()
}

// always fails in one way, however often it is asked.
func always(turn func(context.Context, func(Delta)) (Response, error)) []func(context.Context, func(Delta)) (Response, error) {
	return slices.Repeat([]func(context.Context, func(Delta)) (Response, error){turn}, 100)
}

func throttled(pause time.Duration) func(context.Context, func(Delta)) (Response, error) {
	return breaking(StatusError(429, pause, "too many", nil), lifecycle.Usage{InputTokens: 1_000_000}, Delta{Text: "half"})
}

func TestTheFallbackGoesOnWhereALimitLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newTwoModels(t, append([]func(context.Context, func(Delta)) (Response, error){calling(Call{ID: "1", Name: "look"})}, always(throttled(0))...)...)
		st.tools = []Tool{tool("look", nil)}
		st.other.turns = []func(context.Context, func(Delta)) (Response, error){effortful("from the other", "", "")}
		st.begin()
		defer st.close()
		run := st.play("go")
		require.Equal(t, lifecycle.StateCompleted, run.State)
		require.Equal(t, "from the other", run.Result)
		require.Equal(t, mainModel, run.Model, "what it was started with stays")
		require.Equal(t, otherModel, run.Fallback)
		require.Len(t, st.main.requests(), 7, "its tries come first")
		require.Len(t, st.other.requests(), 1)
		require.Equal(t, "gpt-4.1", st.other.requests()[0].Model)
		require.Equal(t, lifecycle.Warned{
			Kind: lifecycle.WarnFallback, Model: otherModel,
			Message: "by openai/gpt-4.1 from here until this run ends, because anthropic/claude-opus-5-5 is limited: too many (HTTP 429)",
		}, run.Warnings[0])
		require.InDelta(t, 6*4.0+InfoOf(otherModel).Cost(lifecycle.Usage{InputTokens: 10, OutputTokens: 2}), run.Usage.Cost, 1e-3, "each at its own price")

		var by []string
		for _, rec := range st.journal.records {
			if used, is := rec.Event.(lifecycle.UsageReported); is {
				by = append(by, used.Fallback)
			}
		}
		require.Equal(t, []string{"", "", "", "", "", "", "", otherModel}, by)
		entries, err := st.journal.of(t.Context(), root)
		require.NoError(t, err)
		require.Contains(t, string(entries[len(entries)-1].Body), otherModel)
		waits := st.waits()
		require.True(t, waits[len(waits)-1].Discarded, "what the other had begun is withdrawn")

		st.other.turns = append(st.other.turns, says("again"))
		run = st.play("more")
		require.Len(t, st.main.requests(), 13, "a later run begins with its own model")
		require.Equal(t, "again", run.Result)
	})
}

func TestALongPauseIsNotWaitedForWithAFallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newTwoModels(t, always(throttled(time.Hour))...)
		st.other.turns = []func(context.Context, func(Delta)) (Response, error){says("one"), says("two")}
		st.begin()
		defer st.close()
		began := time.Now()
		st.say("go")
		synctest.Wait()
		require.Less(t, time.Since(began), time.Second)
		require.Equal(t, "one", st.last().Result)
		require.Len(t, st.main.requests(), 1)
		st.say("more")
		synctest.Wait()
		require.Equal(t, "two", st.last().Result)
		require.Len(t, st.main.requests(), 1, "the pause holds for all runs")
		require.Contains(t, st.last().Warnings[0].Message, "anthropic/claude-opus-5-5 is limited: anthropic has asked for a pause of 10m0s")
	})
}

func TestWhatIsNoLimitIsLeftToTheModel(t *testing.T) {
	for name, err := range map[string]error{
		"a wrong key": StatusError(401, 0, "no key", nil), "a refusal": &ProviderError{Kind: lifecycle.FailRefused, Message: "no"},
		"a fault": StatusError(500, 0, "broken", nil), "a wrong request": StatusError(400, 0, "no", nil), "no network": errors.New("no route"),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				st := newTwoModels(t, always(failing(err))...)
				st.begin()
				defer st.close()
				run := st.play("go")
				require.Equal(t, lifecycle.StateFailed, run.State)
				require.Empty(t, st.other.requests())
				require.Empty(t, run.Warnings)
			})
		})
	}
}

func TestOverloadIsALimitToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newTwoModels(t, always(failing(StatusError(529, 0, "Overloaded", nil)))...)
		st.other.turns = []func(context.Context, func(Delta)) (Response, error){says("done")}
		st.begin()
		defer st.close()
		require.Equal(t, "done", st.play("go").Result)
	})
}

func TestAFallbackThatCannotBeUsedIsSaidAndTheFailureStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newTwoModels(t, always(throttled(0))...)
		st.cannot = errors.New("OPENAI_API_KEY is not set")
		st.begin()
		defer st.close()
		run := st.play("go")
		require.Equal(t, &lifecycle.Failure{Kind: lifecycle.FailRateLimited, Message: "too many (HTTP 429)"}, run.Error)
		require.Empty(t, run.Fallback)
		require.Equal(t, []lifecycle.Warned{{
			Kind:    lifecycle.WarnFallback,
			Message: "anthropic/claude-opus-5-5 is limited: too many (HTTP 429); openai/gpt-4.1 cannot go on in its place: OPENAI_API_KEY is not set",
		}}, run.Warnings)
	})
}

func TestAFallbackThatIsLimitedTooEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newTwoModels(t, always(throttled(0))...)
		st.other.turns = always(failing(StatusError(429, 0, "me too", nil)))
		st.begin()
		defer st.close()
		run := st.play("go")
		require.Equal(t, &lifecycle.Failure{Kind: lifecycle.FailRateLimited, Message: "me too (HTTP 429)"}, run.Error)
		require.Equal(t, otherModel, run.Fallback)
	})
}
