package anthropic

import (
	"encoding/json"
	"net/http"
	"strings"
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
	server := wiretest.Serve(t, wiretest.Reply{Body: recording(t, "search")}, wiretest.Reply{Body: recording(t, "text")})
	p := New(Options{Key: key, BaseURL: server.URL, HTTPClient: server.Client})
	req := searching()
	answer, pieces, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	found := lifecycle.Searched{Query: "go 1.27 release", Found: []lifecycle.Page{
		{URL: "https://go.dev/blog/go1.27", Title: "Go 1.27 is released"}, {URL: "https://go.dev/doc/go1.27", Title: "Release notes"},
	}}
	require.Equal(t, wiretest.Heard{{Text: "I will look."}, {Call: "web_search"}, {Search: &found}, {Text: "Go 1.27 is out."}}, pieces)
	require.Equal(t, agent.StopEnd, answer.Stop)
	require.Equal(t, "I will look.Go 1.27 is out.", answer.Message.Text())
	require.Empty(t, answer.Message.Calls(), "nothing is left to do here")
	require.Equal(t, lifecycle.Usage{InputTokens: 6039, OutputTokens: 931, Searches: 1}, answer.Usage)
	require.Len(t, answer.Message.Parts, 4)
	require.Equal(t, found, answer.Message.Parts[1].Search.Searched)
	require.Equal(t, []lifecycle.Page{{URL: "https://go.dev/blog/go1.27", Title: "Go 1.27 is released"}}, answer.Message.Parts[3].Search.Cited)

	req.Messages = append(req.Messages, answer.Message, agent.Say("And?"))
	_, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, wiretest.JSON(t, `[
		{"type": "text", "text": "I will look."},
		{"type": "server_tool_use", "id": "srvtoolu_01Abc", "name": "web_search", "input": {"query": "go 1.27 release"}},
		{"type": "web_search_tool_result", "tool_use_id": "srvtoolu_01Abc", "content": [
			{"type": "web_search_result", "title": "Go 1.27 is released", "url": "https://go.dev/blog/go1.27", "encrypted_content": "EqgfCioIARgBIiQ3", "page_age": "3 days ago"},
			{"type": "web_search_result", "title": "Release notes", "url": "https://go.dev/doc/go1.27", "encrypted_content": "EqgfCioIARgBIiQ4", "page_age": null}]},
		{"type": "text", "text": "Go 1.27 is out.", "citations": [{"type": "web_search_result_location", "url": "https://go.dev/blog/go1.27",
			"title": "Go 1.27 is released", "encrypted_index": "Eo8BCioIAhgB", "cited_text": "Go 1.27 is out."}]}
	]`), server.Sent(1)["messages"].([]any)[1].(map[string]any)["content"])

	req.Search = nil
	_, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.NotContains(t, server.Bodies()[2], "web_search", "what may not search any more is not sent what it found")
	require.NotContains(t, server.Bodies()[2], "citations")
}

func TestASearchThatFailedSaysWhy(t *testing.T) {
	stream := recording(t, "search")
	from, to := strings.Index(stream, `"content":[{"type":"web_search_result"`), strings.Index(stream, `"page_age":null}]`)+len(`"page_age":null}]`)
	stream = stream[:from] + `"content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}` + stream[to:]
	answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(stream, nil, nil)), searching())
	require.NoError(t, err)
	require.Equal(t, lifecycle.Searched{Query: "go 1.27 release", Error: "max_uses_exceeded"}, answer.Message.Parts[1].Search.Searched)
}

// An answer whose searches take long is paused, also between a search and its result, and goes on
// when the server gets it back.
func TestAPausedAnswerIsContinued(t *testing.T) {
	whole := recording(t, "search")
	cut := strings.Index(whole, `event: content_block_start
data: {"type":"content_block_start","index":2`)
	end := whole[strings.Index(whole, "event: message_delta"):]
	first := whole[:cut] + strings.Replace(end, "end_turn", "pause_turn", 1)
	second := whole[:strings.Index(whole, "event: content_block_start")] + strings.NewReplacer(`"index":2`, `"index":0`, `"index":3`, `"index":1`).Replace(whole[cut:])
	server := wiretest.Serve(t, wiretest.Reply{Body: first}, wiretest.Reply{Body: second}, wiretest.Reply{Body: recording(t, "text")})
	p := New(Options{Key: key, BaseURL: server.URL, HTTPClient: server.Client})
	req := searching()
	answer, pieces, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, agent.StopEnd, answer.Stop)
	require.Equal(t, "I will look.Go 1.27 is out.", answer.Message.Text())
	require.Equal(t, "go 1.27 release", pieces[2].Search.Query)
	require.Equal(t, 6039, int(answer.Usage.InputTokens), "what the conversation takes: both requests sent it")
	require.Len(t, answer.Earlier, 1)
	require.Equal(t, 6039, int(answer.Earlier[0].InputTokens), "paid for as well")
	require.Equal(t, wiretest.JSON(t, `[{"type": "text", "text": "I will look."},
		{"type": "server_tool_use", "id": "srvtoolu_01Abc", "name": "web_search", "input": {"query": "go 1.27 release"}}]`),
		server.Sent(1)["messages"].([]any)[1].(map[string]any)["content"])

	req.Messages = append(req.Messages, answer.Message, agent.Say("And?"))
	_, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(server.Bodies()[2], `"server_tool_use"`))
	require.Equal(t, 1, strings.Count(server.Bodies()[2], `"web_search_tool_result"`))
}

func TestARefusedSearchIsNotOfferedAgain(t *testing.T) {
	p, server := refusing(t, "tools.0: web_search_20250305 is not supported for this model")
	for range 2 {
		answer, _, err := wiretest.Ask(t, p, searching())
		require.NoError(t, err)
		require.Equal(t, wire.NoSearch, answer.NoSearch)
	}
	require.Contains(t, server.Bodies()[0], searchType)
	require.NotContains(t, server.Bodies()[1], searchType)
	require.NotContains(t, server.Bodies()[2], searchType)
	require.Len(t, server.Bodies(), 3)
}

func TestASearchIsWholeOrAnErrorWhereverTheStreamIsCut(t *testing.T) {
	t.Parallel()
	stream := recording(t, "search")
	for end := 0; end < len(strings.TrimSpace(stream)); end += 11 {
		_, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(stream[:end], nil, nil)), searching())
		require.Error(t, err, stream[:end])
	}
}

func TestASearchOfAnotherProviderDoesNotGoBack(t *testing.T) {
	server := wiretest.Serve(t, wiretest.Reply{Body: recording(t, "text")})
	p := New(Options{Key: key, BaseURL: server.URL, HTTPClient: server.Client})
	req := searching()
	req.Messages = append(req.Messages, said(
		agent.Part{Search: &agent.Search{Searched: lifecycle.Searched{Query: "x"}, Raw: json.RawMessage(`{"type":"web_search_call"}`), Provider: "openai"}},
		agent.Part{Text: "So."}), agent.Say("And?"))
	_, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.NotContains(t, server.Bodies()[0], "web_search_call")
	require.Equal(t, http.MethodPost, server.Last().Method)
}
