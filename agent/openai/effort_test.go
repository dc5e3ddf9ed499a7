package openai

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/wire/wiretest"
)

func TestARefusedEffortIsLoweredOrLeftOutAndSaid(t *testing.T) {
	refusal := wiretest.Reply{Status: http.StatusBadRequest, Body: `{"error": {"message": "Unsupported value: 'max' is not supported with the 'gpt-5' model. Supported values are: 'low', 'medium', and 'high'.", "type": "invalid_request_error", "param": "reasoning.effort", "code": "unsupported_value"}}`}
	p, s := serve(t, refusal, refusal, wiretest.Play(t, "text.sse"))
	req := hello()
	req.Effort = "max"
	answer, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	for i, level := range []string{"max", "xhigh", "high"} {
		require.Equal(t, map[string]any{"effort": level, "summary": "auto"}, s.Sent(i)["reasoning"])
	}
	require.Equal(t, "high", answer.Effort)
	require.Equal(t, "refuses effort max; it is asked with high", answer.NoEffort)

	p, s = serve(t, refusal, wiretest.Play(t, "text.sse"))
	req.Effort = "low"
	answer, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, map[string]any{"summary": "auto"}, s.Sent(1)["reasoning"])
	require.Empty(t, answer.Effort)
	require.Equal(t, "refuses effort low; it is asked without", answer.NoEffort)
}
