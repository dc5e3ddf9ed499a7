package gemini

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/wire/wiretest"
)

func TestARefusedEffortIsLeftOutAndSaid(t *testing.T) {
	refusal := wiretest.Reply{Status: http.StatusBadRequest, Body: `{"error": {"code": 400, "message": "Thinking level is not supported for this model.", "status": "INVALID_ARGUMENT"}}`}
	s := wiretest.Serve(t, refusal, wiretest.Play(t, "text.sse"))
	p := New(Options{Key: key, BaseURL: s.URL, HTTPClient: s.Client})
	req := hello()
	req.Model, req.Effort = "gemini-3-pro-preview", "medium"
	answer, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, wiretest.JSON(t, `{"thinkingConfig": {"includeThoughts": true, "thinkingLevel": "MEDIUM"}}`), s.Sent(0)["generationConfig"])
	require.Equal(t, wiretest.JSON(t, `{"thinkingConfig": {"includeThoughts": true}}`), s.Sent(1)["generationConfig"])
	require.Empty(t, answer.Effort)
	require.Equal(t, "refuses effort medium; it is asked without", answer.NoEffort)
}

func TestABudgetStandsForAnEffortBeforeGeneration3(t *testing.T) {
	for level, tokens := range budgets {
		s := wiretest.Serve(t, wiretest.Play(t, "text.sse"))
		req := hello()
		req.Model, req.Effort = "gemini-2.5-pro", level
		answer, _, err := wiretest.Ask(t, New(Options{Key: key, BaseURL: s.URL, HTTPClient: s.Client}), req)
		require.NoError(t, err)
		config := s.Sent(0)["generationConfig"].(map[string]any)["thinkingConfig"].(map[string]any)
		require.EqualValues(t, tokens, config["thinkingBudget"])
		require.Equal(t, level, answer.Effort)
	}
}
