package agent

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestEffortIsFittedToWhatAModelTakes(t *testing.T) {
	for _, row := range []struct {
		model, asked, sent, instead string
	}{
		{"anthropic/claude-opus-5-5", "", "", ""},
		{"anthropic/claude-opus-5-5", "max", "max", ""},
		{"anthropic/claude-opus-4-5", "max", "high", ""},
		{"openai/gpt-5.5", "max", "xhigh", ""},
		{"openai/gpt-5.1", "max", "high", ""},
		{"openai/gpt-5.1", "medium", "medium", ""},
		{"openai/gpt-5-pro", "low", "", "takes effort high, not low; it is asked without"},
		{"openai/gpt-4.1", "low", "", "takes no effort; it is asked without"},
		{"gemini/gemini-3-pro-preview", "medium", "low", "takes effort low or high, not medium; it is asked with low"},
		{"openai-chat/nobody-knows-it", "max", "max", ""},
		{"demo", "high", "", "takes no effort; it is asked without"},
	} {
		sent, instead := FitEffort(InfoOf(row.model).Efforts, row.asked)
		require.Equal(t, row.sent, sent, row)
		require.Equal(t, row.instead, instead, row)
	}
}

func TestOnlyFourWordsAreEfforts(t *testing.T) {
	for _, level := range append(lifecycle.Efforts(), "") {
		require.NoError(t, lifecycle.CheckEffort(level))
	}
	require.EqualError(t, lifecycle.CheckEffort("hihg"), `effort "hihg": must be low, medium, high or max; did you mean "high"?`)
	require.EqualError(t, lifecycle.CheckEffort("xhigh"), `effort "xhigh": must be low, medium, high or max; did you mean "high"?`)
}

// effortful answers, saying that it was sent what it was asked for or, if refuses is set, less.
func effortful(text, sent, refuses string) func(context.Context, func(Delta)) (Response, error) {
	return func(ctx context.Context, on func(Delta)) (Response, error) {
		answer, err := says(text)(ctx, on)
		answer.Effort, answer.NoEffort, answer.Said.ID = sent, refuses, "msg_1"
		return answer, err
	}
}

func TestWhatWasSentOfTheEffortIsRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, effortful("one", "xhigh", ""))
		st.named = "openai/gpt-5.5"
		st.open()
		defer st.close()
		require.NoError(t, st.s.SetEffort(root, "max"))
		st.say("go")
		synctest.Wait()
		run := st.last()
		require.Equal(t, "max", run.Effort)
		require.Equal(t, "xhigh", run.EffortSent)
		require.Equal(t, "xhigh", run.EffortShown())
		require.Equal(t, "xhigh", st.model.requests()[0].Effort)
		require.Empty(t, run.Warnings)
	})
}

func TestAnEffortThatIsNotTakenIsSaidOnceARun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		st := newStage(t, calling(Call{ID: "1", Name: "look"}), effortful("one", "", ""))
		st.named = "openai/gpt-4.1"
		st.tools = []Tool{tool("look", nil)}
		st.open()
		defer st.close()
		require.NoError(t, st.s.SetEffort(root, "low"))
		st.say("go")
		synctest.Wait()
		run := st.last()
		require.Len(t, st.model.requests(), 2)
		for _, req := range st.model.requests() {
			require.Empty(t, req.Effort)
		}
		require.Len(t, run.Warnings, 1)
		require.Equal(t, lifecycle.Warned{Kind: lifecycle.WarnEffort, Message: "test/m takes no effort; it is asked without"}, run.Warnings[0])
		require.Empty(t, run.EffortShown())
	})
}

func TestARefusedEffortIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const why = "refuses effort low; it is asked without"
		st := newStage(t, effortful("one", "", why))
		st.named = "openai/nobody-knows-it"
		st.open()
		defer st.close()
		require.NoError(t, st.s.SetEffort(root, "low"))
		st.say("go")
		synctest.Wait()
		run := st.last()
		require.Equal(t, "low", st.model.requests()[0].Effort)
		require.Equal(t, []lifecycle.Warned{{Kind: lifecycle.WarnEffort, Message: "test/m " + why}}, run.Warnings)
		require.Empty(t, run.EffortShown())
	})
}
