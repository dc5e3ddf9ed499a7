package agent

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// paying is an answer that costs so many tokens.
func paying(tokens int64, answer func(context.Context, func(Delta)) (Response, error)) func(context.Context, func(Delta)) (Response, error) {
	return func(ctx context.Context, on func(Delta)) (Response, error) {
		r, err := answer(ctx, on)
		r.Usage = lifecycle.Usage{InputTokens: tokens - 1, OutputTokens: 1}
		return r, err
	}
}

// warnings are the marks of all runs, in their order.
func (st *stage) warnings() (texts []string) {
	for _, rec := range st.journal.records {
		if w, ok := rec.Event.(lifecycle.Warned); ok && w.Kind == lifecycle.WarnBudget {
			texts = append(texts, w.Message)
		}
	}
	return texts
}

func (st *stage) play(prompts ...string) *stage {
	st.tools = []Tool{tool("look", nil)}
	st.open()
	for _, prompt := range prompts {
		st.say(prompt)
		synctest.Wait()
	}
	return st
}

func TestARunWarnsOnceThenSumsUpAndFailsWithWhatItHas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t,
			paying(79, calling(call("1", "look"))), paying(1, calling(call("2", "look"))), paying(10, calling(call("3", "look"))),
			paying(10, calling(call("4", "look"))),
			func(_ context.Context, on func(Delta)) (Response, error) {
				on(Delta{Text: "this much is done"})
				m := Message{Role: RoleAssistant, Parts: []Part{{Text: "this much is done"}, {Call: &Call{ID: "5", Name: "look", Input: []byte("{}")}}}}
				return Response{Stop: StopToolCalls, Message: m}, nil
			})
		st.budget.Run.Tokens = 100
		st.play("go")
		defer st.close()
		run := st.last()
		require.Equal(t, lifecycle.StateFailed, run.State)
		require.Equal(t, lifecycle.FailBudget, run.Error.Kind)
		require.Equal(t, "this run's budget is used up: 100 of 100 tokens (limits.run_max_tokens)", run.Error.Message)
		require.Equal(t, "this much is done", run.Partial)
		require.Equal(t, []string{
			"80 % of this run's budget is used: 80 of 100 tokens (limits.run_max_tokens)",
			"this run's budget is used up: 100 of 100 tokens (limits.run_max_tokens): one last step to summarize",
		}, st.warnings())
		asked := st.model.requests()
		require.Len(t, asked, 5)
		last := asked[4].Messages
		require.Equal(t, Say(wrapUpText), last[len(last)-1])
		require.Equal(t, asked[0].Tools, asked[4].Tools, "a history with calls needs its tools, and the cache holds")
		require.Empty(t, Unanswered(st.transcript()))
		messages := st.transcript()
		require.Equal(t, "Not run: the budget is used up.", messages[len(messages)-1].Parts[0].Result.Text)
		require.Equal(t, 4, count(st.events(), "tool_ended")-1, "the call of the last step did not run")
	})
}

func count(names []string, name string) (n int) {
	for _, one := range names {
		if one == name {
			n++
		}
	}
	return n
}

func TestAnAnswerThatUsesTheBudgetUpIsAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, paying(1000, says("done")))
		st.budget.Run.Tokens = 100
		st.play("go")
		defer st.close()
		require.Equal(t, lifecycle.StateCompleted, st.last().State)
		require.Empty(t, st.warnings())
	})
}

func TestANewRunHasANewBudgetOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, paying(150, calling(call("1", "look"))), says("so far"), paying(90, says("and on")))
		st.budget.Run.Tokens = 100
		st.play("go", "go on")
		defer st.close()
		require.Equal(t, "and on", st.last().Result)
	})
}

func TestASessionThatHasSpentItsBudgetBeginsNothingMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, paying(150, calling(call("1", "look"))), says("so far"))
		st.budget.Session.Tokens = 100
		st.play("go", "go on")
		defer st.close()
		run := st.last()
		require.Equal(t, lifecycle.StateFailed, run.State)
		require.Equal(t, "the session's budget is used up: 162 of 100 tokens (limits.max_tokens)", run.Error.Message)
		require.Zero(t, run.Step, "it asked nobody")
		require.Len(t, st.model.requests(), 2)
	})
}

func TestMoneyIsCountedByThePriceTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, paying(1000, calling(call("1", "look"))), says("so far"))
		st.budget.Session.Cost = 0.001
		st.named = "anthropic/claude-sonnet-4-5"
		st.play("go")
		defer st.close()
		require.Equal(t, "the session's budget is used up: $0.0030 of $0.0010 (limits.max_cost)", st.last().Error.Message)
	})
}

func TestAModelWithoutAPriceIsNotCountedAndThatIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, paying(1000, calling(call("1", "look"))), says("done"))
		st.budget.Session.Cost = 0.001
		st.play("go")
		defer st.close()
		require.Equal(t, lifecycle.StateCompleted, st.last().State)
		require.Equal(t, []string{"the price of test/m is not known, so what it costs is not counted against the budget; limits.max_tokens counts"}, st.warnings())
		require.False(t, InfoOf("test/m").Priced())
		require.True(t, InfoOf("demo").Priced())
		require.True(t, InfoOf("ollama/qwen3").Priced())
	})
}

func TestAStepThatCannotSumUpSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, paying(150, calling(call("1", "look"))),
			failing(&ProviderError{Kind: lifecycle.FailAuth, Message: "the key is gone"}))
		st.budget.Run.Tokens = 100
		st.play("go")
		defer st.close()
		require.Equal(t, lifecycle.FailBudget, st.last().Error.Kind)
		require.Contains(t, st.last().Error.Message, "; it could not summarize: the key is gone")
	})
}

func TestADaysSumIsReadOncePerStepAndWarnedAboutOnceADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, calling(call("1", "look")), calling(call("2", "look")), calling(call("3", "look")), says("so far"))
		today, asked := lifecycle.DayCost{Day: "2026-03-01", Cost: 8, Sessions: 3}, 0
		st.today = func(context.Context) (lifecycle.DayCost, error) {
			asked++
			switch asked {
			case 3:
				today.Day = "2026-03-02"
			case 4:
				today.Cost = 10.25
			}
			return today, nil
		}
		st.budget.Day, st.named = 10, "demo"
		st.play("go")
		defer st.close()
		require.Equal(t, "today's budget is used up: $10.25 of $10.00 over 3 sessions (raise limits.day_max_cost, or wait until midnight)", st.last().Error.Message)
		const near = "80 % of today's budget is used: $8.00 of $10.00 over 3 sessions (limits.day_max_cost)"
		require.Equal(t, []string{near, near, st.last().Error.Message + ": one last step to summarize"}, st.warnings())
		require.Equal(t, 4, asked)
		require.Equal(t, "so far", st.last().Partial)
	})
}

// A limit that cannot be checked must not let everything through.
func TestARunFailsWhereTheDaysSumCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, says("done"))
		st.today = func(context.Context) (lifecycle.DayCost, error) {
			return lifecycle.DayCost{}, errors.New("the disk is gone")
		}
		st.budget.Day = 10
		st.play("go")
		defer st.close()
		require.Equal(t, &lifecycle.Failure{Kind: lifecycle.FailJournal, Message: "what today has cost is not known, and limits.day_max_cost bounds it: the disk is gone"}, st.last().Error)
		require.Empty(t, st.model.requests())
	})
}
