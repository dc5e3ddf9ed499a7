package anthropic

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// pages serves a list of models in two pages.
func pages(t *testing.T) *Provider {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "/v1/models", r.URL.Path)
		require.Equal(t, "sk-ant-secret", r.Header.Get("X-Api-Key"))
		w.Header().Set("Content-Type", "application/json")
		page := `{"data":[{"type":"model","id":"claude-opus-5-5","max_input_tokens":1000000,"max_tokens":128000,"capabilities":{"image_input":{"supported":true},"thinking":{"supported":false}}}],"has_more":true,"first_id":"claude-opus-5-5","last_id":"claude-opus-5-5"}`
		if r.URL.Query().Get("after_id") == "claude-opus-5-5" {
			page = `{"data":[{"type":"model","id":"claude-haiku-4-5"}],"has_more":false,"first_id":"x","last_id":"x"}`
		}
		_, err := w.Write([]byte(page))
		require.NoError(t, err)
	})
}

func TestModelsAreListedPageByPage(t *testing.T) {
	offers, err := pages(t).Models(t.Context())
	require.NoError(t, err)
	require.Equal(t, []agent.ModelListing{
		{Name: "claude-opus-5-5", Context: 1_000_000, Output: 128_000, Images: agent.Able, Thinking: agent.Unable},
		{Name: "claude-haiku-4-5"},
	}, offers, "what a server does not say is not known")
}

func TestAListThatIsNoneIsAnError(t *testing.T) {
	for body, status := range map[string]int{"<html>": 200, `{"data":[`: 200, `{"error":{"type":"authentication_error","message":"invalid x-api-key"}}`: 401} {
		p := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		})
		_, err := p.Models(t.Context())
		var failure *agent.ProviderError
		require.ErrorAs(t, err, &failure, body)
		require.Equal(t, status == 401, failure.Kind == lifecycle.FailAuth, body)
	}
}
