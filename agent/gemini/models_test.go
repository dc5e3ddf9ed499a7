package gemini

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

func TestModelsThatWriteAreListedPageByPage(t *testing.T) {
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		require.Equal(t, "/v1beta/models", r.URL.Path)
		page := `{"models":[{"name":"models/gemini-2.5-pro","inputTokenLimit":1048576,"outputTokenLimit":65536,"thinking":true,"supportedGenerationMethods":["generateContent"]},{"name":"models/embedding-001","supportedGenerationMethods":["embedContent"]}],"nextPageToken":"more"}`
		if r.URL.Query().Get("pageToken") == "more" {
			page = `{"models":[{"name":"models/gemini-3-flash","supportedGenerationMethods":["countTokens","generateContent"]}]}`
		}
		_, _ = io.WriteString(w, page)
	})
	offers, err := p.Models(t.Context())
	require.NoError(t, err)
	require.Equal(t, []agent.ModelListing{
		{Name: "gemini-2.5-pro", Context: 1_048_576, Output: 65_536, Thinking: agent.Able}, {Name: "gemini-3-flash"},
	}, offers)
}

func TestAListThatIsNoneIsAnError(t *testing.T) {
	_, err := serve(t, wiretest.Streams(`{"models":"none"}`, nil, nil)).Models(t.Context())
	var failure *agent.ProviderError
	require.ErrorAs(t, err, &failure)
	require.True(t, failure.Temporary)

	_, err = serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusForbidden) }).Models(t.Context())
	require.ErrorAs(t, err, &failure)
	require.Equal(t, lifecycle.FailAuth, failure.Kind)
}

// What is known of a model goes before what its name suggests.
func TestWhatIsKnownOfThinkingGoesBeforeTheName(t *testing.T) {
	for _, row := range []struct {
		model string
		known agent.Ability
		want  bool
	}{
		{"gemini-2.5-pro", agent.Unknown, true},
		{"gemini-2.5-pro", agent.Unable, false},
		{"gemini-2.5-flash-lite", agent.Unknown, false},
		{"tuned", agent.Unknown, false},
		{"tuned", agent.Able, true},
	} {
		require.Equal(t, row.want, thinks(agent.Request{Model: row.model, Thinking: row.known}), row)
	}
	for _, model := range []string{"gemini-2.5-pro", "gemini-3-pro"} {
		req, err := new(Provider).newRequest(agent.Request{Model: model, Effort: "low", Thinking: agent.Unable})
		require.NoError(t, err)
		require.False(t, req.Config.Thinking.IncludeThoughts, model)
	}
}
