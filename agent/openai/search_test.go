package openai

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

// searching is a question that may search the web.
func searching() agent.Request {
	req := hello()
	req.Search = &agent.WebSearch{}
	return req
}

func TestASearchIsReadAndGoesBackVerbatim(t *testing.T) {
	p, s := serve(t, wiretest.Play(t, "search.sse"), wiretest.Play(t, "text.sse"))
	req := searching()
	answer, pieces, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	found := lifecycle.Searched{Query: "go 1.27 release", Found: []lifecycle.Page{{URL: "https://go.dev/blog/go1.27"}, {URL: "https://go.dev/doc/go1.27"}}}
	opened := lifecycle.Searched{Opened: "https://go.dev/blog/go1.27"}
	require.Equal(t, wiretest.Heard{{Call: "web_search"}, {Search: &found}, {Call: "web_search"}, {Search: &opened}, {Text: "Go 1.27 is out."}}, pieces)
	require.Equal(t, agent.StopEnd, answer.Stop)
	require.Empty(t, answer.Message.Calls(), "nothing is left to do here")
	require.Equal(t, lifecycle.Usage{InputTokens: 8200, OutputTokens: 300, Searches: 1}, answer.Usage, "opening a page is no search")
	require.Len(t, answer.Message.Parts, 5)
	require.Equal(t, []lifecycle.Page{{URL: "https://go.dev/blog/go1.27", Title: "Go 1.27 is released"}}, answer.Message.Parts[4].Search.Cited)

	req.Messages = append(req.Messages, answer.Message, agent.Say("And?"))
	_, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, wiretest.JSON(t, `[
		{"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2VhbGVk"},
		{"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "go 1.27 release", "queries": ["go 1.27 release"]}},
		{"type": "web_search_call", "id": "ws_2", "status": "completed", "action": {"type": "open_page", "url": "https://go.dev/blog/go1.27"}},
		{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Go 1.27 is out.", "annotations": [
			{"type": "url_citation", "start_index": 0, "end_index": 15, "url": "https://go.dev/blog/go1.27", "title": "Go 1.27 is released"}]}]}
	]`), any(s.Sent(1)["input"].([]any)[1:5]))
}

func TestASearchIsOfferedAsFarAsTheAPIKnowsHosts(t *testing.T) {
	for name, row := range map[string]struct {
		search *agent.WebSearch
		want   string
		why    string
	}{
		"nothing":       {nil, `null`, ""},
		"all":           {&agent.WebSearch{}, `[{"type": "web_search"}]`, ""},
		"some hosts":    {&agent.WebSearch{Allowed: []string{"go.dev"}}, `[{"type": "web_search", "filters": {"allowed_domains": ["go.dev"]}}]`, ""},
		"all but a few": {&agent.WebSearch{Blocked: []string{"evil.example"}}, `null`, "cannot leave hosts out of its searches of the web; it is asked without"},
	} {
		p, s := serve(t, wiretest.Play(t, "text.sse"))
		req := hello()
		req.Search = row.search
		answer, _, err := wiretest.Ask(t, p, req)
		require.NoError(t, err)
		require.Equal(t, wiretest.JSON(t, row.want), s.Sent(0)["tools"], name)
		require.Equal(t, row.why, answer.NoSearch, name)
	}
}

func TestARefusedSearchIsNotOfferedAgain(t *testing.T) {
	for _, refusal := range []wiretest.Reply{
		{Status: http.StatusBadRequest, Body: `{"error": {"message": "Hosted tool 'web_search' is not supported with gpt-x.", "type": "invalid_request_error", "param": "tools", "code": null}}`},
		{Status: http.StatusForbidden, Body: `{"error": {"message": "Web search is disabled for your organization.", "type": "invalid_request_error", "param": null, "code": null}}`},
	} {
		p, s := serve(t, refusal, wiretest.Play(t, "text.sse"))
		for range 2 {
			answer, _, err := wiretest.Ask(t, p, searching())
			require.NoError(t, err)
			require.Equal(t, wire.NoSearch, answer.NoSearch)
		}
		require.Contains(t, s.Sent(0), "tools")
		require.NotContains(t, s.Sent(1), "tools")
		require.NotContains(t, s.Sent(2), "tools")
		require.Len(t, s.Bodies(), 3)
	}
}

func TestARefusedKeyIsNoRefusedSearch(t *testing.T) {
	p, s := serve(t, wiretest.Reply{Status: http.StatusForbidden, Body: `{"error": {"message": "Your project may not use gpt-x.", "param": null, "code": null}}`}, wiretest.Play(t, "text.sse"))
	_, _, err := wiretest.Ask(t, p, searching())
	require.ErrorContains(t, err, "may not use gpt-x")
	answer, _, err := wiretest.Ask(t, p, searching())
	require.NoError(t, err)
	require.Empty(t, answer.NoSearch)
	require.Contains(t, s.Sent(1), "tools")
}

func TestASearchIsWholeOrAnErrorWhereverTheStreamIsCut(t *testing.T) {
	t.Parallel()
	stream := wiretest.Recording(t, "search.sse")
	for end := 0; end < len(stream)-2; end += 13 {
		p, _ := serve(t, wiretest.Reply{Body: stream[:end]})
		_, _, err := wiretest.Ask(t, p, searching())
		require.Error(t, err, stream[:end])
	}
}
