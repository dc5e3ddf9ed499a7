package anthropic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
)

func TestEffortIsSentInTheFormThatTheModelTakes(t *testing.T) {
	for _, row := range []struct {
		model, level string
		output       any
		thinking     string
	}{
		{"claude-opus-5-5", "low", map[string]any{"effort": "low"}, `{"type": "adaptive", "display": "summarized"}`},
		{"claude-opus-4-6", "max", map[string]any{"effort": "max"}, `{"type": "adaptive", "display": "summarized"}`},
		{"claude-opus-4-5-20251101", "high", map[string]any{"effort": "high"}, `{"type": "enabled", "budget_tokens": 16000}`},
		{"claude-sonnet-4-5", "low", nil, `{"type": "enabled", "budget_tokens": 4000}`},
		{"claude-sonnet-4-5", "max", nil, `{"type": "enabled", "budget_tokens": 32000}`},
		{"claude-haiku-4-5", "", nil, `{"type": "enabled", "budget_tokens": 16000}`},
	} {
		p, server := refusing(t)
		req := thoughtful(row.model)
		req.Effort = row.level
		answer, _, err := wiretest.Ask(t, p, req)
		require.NoError(t, err)
		require.Equal(t, row.output, server.Sent(0)["output_config"], row)
		require.Equal(t, wiretest.JSON(t, row.thinking), server.Sent(0)["thinking"], row)
		require.Equal(t, row.level, answer.Effort)
		require.Empty(t, answer.NoEffort)
	}
}

func TestARefusedEffortIsLoweredOrLeftOutAndSaid(t *testing.T) {
	const refusal = "output_config.effort: this model does not support effort level"
	p, server := refusing(t, refusal, refusal)
	req := thoughtful("claude-new-9")
	req.Effort = "max"
	answer, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, "high", answer.Effort)
	require.Equal(t, "refuses effort max; it is asked with high", answer.NoEffort)
	require.Len(t, server.Bodies(), 3)
	require.Contains(t, server.Sent(2), "thinking", "thinking was not refused")

	answer, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Len(t, server.Bodies(), 4, "what was learnt is kept")
	require.Equal(t, "high", answer.Effort)

	p, server = refusing(t, "effort is not supported on this model")
	req.Effort = "medium"
	answer, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Empty(t, answer.Effort)
	require.Equal(t, "refuses effort medium; it is asked without", answer.NoEffort)
	require.NotContains(t, server.Sent(1), "output_config")
}

func TestABudgetThatCannotBeAskedForIsSaid(t *testing.T) {
	p, server := refusing(t)
	req := thoughtful("claude-sonnet-4-5")
	req.Effort, req.Thinking = "low", agent.Unable
	answer, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.NotContains(t, server.Sent(0), "thinking")
	require.Empty(t, answer.Effort)
	require.Contains(t, answer.NoEffort, "is not asked to think")
}
