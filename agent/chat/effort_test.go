package chat

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/wire/wiretest"
)

func TestARefusedEffortIsLeftOutAndSaid(t *testing.T) {
	for _, said := range []string{
		`{"error": {"message": "Unrecognized request argument supplied: reasoning_effort", "type": "invalid_request_error", "param": null, "code": null}}`,
		`{"error": {"message": "\"llama3.2\" does not support thinking", "type": "api_error"}}`, // Ollama
	} {
		p, s := serve(t, wiretest.Reply{Status: http.StatusBadRequest, Body: said}, wiretest.Play(t, "text.sse"))
		req := hello()
		req.Effort = "low"
		answer, _, err := wiretest.Ask(t, p, req)
		require.NoError(t, err)
		require.Equal(t, "low", s.Sent(0)["reasoning_effort"])
		require.NotContains(t, s.Sent(1), "reasoning_effort")
		require.Empty(t, answer.Effort)
		require.Equal(t, "refuses effort low; it is asked without", answer.NoEffort)
	}
}
