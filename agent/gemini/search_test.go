package gemini

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

// searching is a question that may search the web, beside a function.
func searching(model string) agent.Request {
	return agent.Request{
		Model: model, Messages: hello().Messages, Search: &agent.WebSearch{},
		Tools: []agent.ToolSpec{{Name: "list", Description: "Lists."}},
	}
}

// playing serves these replies, one a request.
func playing(t *testing.T, replies ...wiretest.Reply) (*Provider, *wiretest.Server) {
	t.Helper()
	server := wiretest.Serve(t, replies...)
	return New(Options{Key: key, BaseURL: server.URL, HTTPClient: server.Client}), server
}

// afterSearch is a history with a search as the recorded stream has it.
func afterSearch(t *testing.T) []agent.Message {
	t.Helper()
	p, _ := playing(t, wiretest.Play(t, "search.sse"))
	answer, _, err := wiretest.Ask(t, p, searching("gemini-3-pro-preview"))
	require.NoError(t, err)
	return append(hello().Messages, answer.Message, agent.Say("And?"))
}

const redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"

func TestASearchIsReadAndGoesBackVerbatim(t *testing.T) {
	p, s := playing(t, wiretest.Play(t, "search.sse"), wiretest.Play(t, "text.sse"))
	req := searching("gemini-3-pro-preview")
	answer, pieces, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	did := lifecycle.Searched{Query: "go 1.27 release; go 1.27 notes"}
	require.Equal(t, wiretest.Heard{
		{Thinking: "I look for the release."}, {Call: "google_search"}, {Search: &did}, {Text: "Go 1.27 "}, {Text: "is out."},
	}, pieces)
	require.Equal(t, agent.StopEnd, answer.Stop)
	require.Empty(t, answer.NoSearch)
	require.Empty(t, answer.Message.Calls(), "nothing is left to do here")
	require.Equal(t, lifecycle.Usage{InputTokens: 100, OutputTokens: 20, Searches: 2}, answer.Usage, "each query is billed")
	require.Len(t, answer.Message.Parts, 5)
	require.Equal(t, did, answer.Message.Parts[1].Search.Searched)
	require.Equal(t, []lifecycle.Page{{URL: redirect + "AUZIYQ1", Title: "go.dev"}, {URL: redirect + "AUZIYQ2", Title: "github.com"}}, answer.Message.Parts[4].Search.Cited)

	req.Messages = append(req.Messages, answer.Message, agent.Say("And?"))
	_, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, wiretest.JSON(t, `[
		{"text": "I look for the release.", "thought": true},
		{"thoughtSignature": "c2lnbmF0dXJlLW9mLXNlYXJjaA==", "toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "args": {"queries": ["go 1.27 release", "go 1.27 notes"]}, "id": "a7b3k9p2"}},
		{"thoughtSignature": "c2lnbmF0dXJlLW9mLXJlc3VsdA==", "toolResponse": {"toolType": "GOOGLE_SEARCH_WEB", "response": {"search_suggestions": "<div class=\"container\">go 1.27</div>"}, "id": "a7b3k9p2"}},
		{"text": "Go 1.27 is out.", "thoughtSignature": "c2lnbmF0dXJlLW9mLXRleHQ="}
	]`), s.Sent(1)["contents"].([]any)[1].(map[string]any)["parts"])
	require.Equal(t, wiretest.JSON(t, `{"includeServerSideToolInvocations": true}`), s.Sent(1)["toolConfig"])
}

func TestASearchIsOfferedWhereTheModelAndTheAPICan(t *testing.T) {
	functions := `{"functionDeclarations": [{"name": "list", "description": "Lists."}]}`
	const beside, hosts = "cannot search the web beside other tools; it is asked without", "cannot keep its searches of the web to some hosts; it is asked without"
	all := &agent.WebSearch{}
	for name, row := range map[string]struct {
		model  string
		search *agent.WebSearch
		alone  bool
		tools  string
		shows  bool
		why    string
	}{
		"nothing":                      {"gemini-3-pro-preview", nil, false, `[` + functions + `]`, false, ""},
		"all":                          {"gemini-3-pro-preview", all, false, `[` + functions + `, {"googleSearch": {}}]`, true, ""},
		"all, without functions":       {"gemini-3.1-pro", all, true, `[{"googleSearch": {}}]`, true, ""},
		"the newest":                   {"gemini-flash-latest", all, false, `[` + functions + `, {"googleSearch": {}}]`, true, ""},
		"some hosts":                   {"gemini-3-pro-preview", &agent.WebSearch{Allowed: []string{"go.dev"}}, false, `[` + functions + `]`, false, hosts},
		"all but a few":                {"gemini-3-pro-preview", &agent.WebSearch{Blocked: []string{"evil.example"}}, false, `[` + functions + `]`, false, hosts},
		"generation 2":                 {"gemini-2.5-pro", all, false, `[` + functions + `]`, false, beside},
		"generation 2, no functions":   {"gemini-2.5-pro", all, true, `[{"googleSearch": {}}]`, false, ""},
		"generation 1":                 {"gemini-1.5-pro", all, true, `null`, false, "cannot search the web; it is asked without"},
		"another maker's at this host": {"gemma-3-27b-it", all, true, `null`, false, "cannot search the web; it is asked without"},
	} {
		p, s := playing(t, wiretest.Play(t, "text.sse"))
		req := searching(row.model)
		req.Search = row.search
		if row.alone {
			req.Tools = nil
		}
		answer, _, err := wiretest.Ask(t, p, req)
		require.NoError(t, err)
		require.Equal(t, wiretest.JSON(t, row.tools), s.Sent(0)["tools"], name)
		require.Equal(t, row.shows, s.Sent(0)["toolConfig"] != nil, name)
		require.Equal(t, row.why, answer.NoSearch, name)
	}
}

func TestAtVertexNoSearchStandsBesideFunctions(t *testing.T) {
	server := wiretest.Serve(t, wiretest.Play(t, "text.sse"))
	p := NewForVertex(Options{Key: key, BaseURL: server.URL, HTTPClient: server.Client})
	req := searching("gemini-3-pro-preview")
	req.Messages = afterSearch(t)
	answer, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, "cannot search the web beside other tools; it is asked without", answer.NoSearch)
	require.NotContains(t, server.Bodies()[0], "googleSearch")
	require.NotContains(t, server.Bodies()[0], "toolCall")
	require.NotContains(t, server.Bodies()[0], "toolConfig")
}

// A model that does not show its searches says afterwards what it has searched for.
func TestASearchThatIsNotShownIsReadFromWhatTheAnswerRestsOn(t *testing.T) {
	var events []string
	for _, event := range strings.SplitAfter(recording(t, "search"), "\n\n") {
		if !strings.Contains(event, `"toolCall"`) && !strings.Contains(event, `"toolResponse"`) {
			events = append(events, event)
		}
	}
	p, _ := playing(t, wiretest.Reply{Body: strings.Join(events, "")})
	req := searching("gemini-2.5-pro")
	req.Tools = nil
	answer, pieces, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, 1, answer.Usage.Searches, "the answer is billed")
	require.Equal(t, &lifecycle.Searched{Query: "go 1.27 release; go 1.27 notes"}, pieces[len(pieces)-1].Search)
	require.Len(t, answer.Message.Parts[len(answer.Message.Parts)-1].Search.Cited, 2)
	require.NotContains(t, sentContents(t, "gemini-2.5-pro", answer.Message, agent.Say("And?")), "go 1.27 release")
}

func TestSearchesGoBackOnlyToModelsThatShowThem(t *testing.T) {
	history := afterSearch(t)
	req := agent.Request{Model: "gemini-3-pro-preview", Messages: history}
	_, body := sent(t, req)
	require.Contains(t, string(body), `"toolCall":{"toolType"`, "also where none is offered: the API wants all parts back")
	require.Contains(t, string(body), `"toolConfig":{"includeServerSideToolInvocations":true}`)
	require.NotContains(t, string(body), "googleSearch")
	req.Model = "gemini-2.5-pro"
	_, body = sent(t, req)
	require.NotContains(t, string(body), "toolCall")
	require.NotContains(t, string(body), "toolConfig")

	foreign := said(agent.Part{Search: &agent.Search{Searched: lifecycle.Searched{Query: "x"}, Raw: json.RawMessage(`[{"toolCall":{}}]`), Provider: "openai"}}, agent.Part{Text: "So."})
	require.NotContains(t, sentContents(t, "gemini-3-pro-preview", agent.Say("a"), foreign), "toolCall")
}

func TestARefusedSearchIsNotOfferedAgain(t *testing.T) {
	for _, refusal := range []wiretest.Reply{
		{Status: http.StatusBadRequest, Body: `{"error":{"code":400,"message":"Search as tool is not enabled for this model","status":"INVALID_ARGUMENT"}}`},
		{Status: http.StatusBadRequest, Body: `{"error":{"code":400,"message":"Built-in tools ({google_search}) and Function Calling cannot be combined in the same request.","status":"INVALID_ARGUMENT"}}`},
		{Status: http.StatusBadRequest, Body: `{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"includeServerSideToolInvocations\" at 'tool_config': Cannot find field.","status":"INVALID_ARGUMENT"}}`},
		{Status: http.StatusForbidden, Body: `{"error":{"code":403,"message":"Grounding is not allowed for this project.","status":"PERMISSION_DENIED"}}`},
	} {
		p, s := playing(t, refusal, wiretest.Play(t, "text.sse"))
		for range 2 {
			req := searching("gemini-3-pro-preview")
			req.Messages = afterSearch(t)
			answer, _, err := wiretest.Ask(t, p, req)
			require.NoError(t, err)
			require.Equal(t, wire.NoSearch, answer.NoSearch)
		}
		require.Contains(t, s.Bodies()[0], "googleSearch")
		for _, body := range s.Bodies()[1:] {
			require.NotContains(t, body, "googleSearch")
			require.NotContains(t, body, "toolCall")
			require.NotContains(t, body, "toolConfig")
		}
		require.Len(t, s.Bodies(), 3)
	}
}

func TestASearchIsWholeOrAnErrorWhereverTheStreamIsCut(t *testing.T) {
	t.Parallel()
	stream := recording(t, "search")
	for end := 0; end < len(strings.TrimSpace(stream)); end += 13 {
		p, _ := playing(t, wiretest.Reply{Body: stream[:end]})
		_, _, err := wiretest.Ask(t, p, searching("gemini-3-pro-preview"))
		require.Error(t, err, stream[:end])
	}
}

func TestASearchThatIsNoObjectIsAnError(t *testing.T) {
	stream := strings.Replace(recording(t, "search"), `"args": {"queries"`, `"args": {"queries": 3, "more"`, 1)
	p, _ := playing(t, wiretest.Reply{Body: stream})
	_, _, err := wiretest.Ask(t, p, searching("gemini-3-pro-preview"))
	require.ErrorContains(t, err, "a search of the web is not an object")
}

// The bench wants a call at the end of an answer.
func TestASearchIsWholeOrAnErrorWhateverByteIsChanged(t *testing.T) {
	b := bench(t)
	b.Opaque = []string{"args", "toolCall", "toolResponse"}
	b.Stream = strings.Replace(recording(t, "search"), `"text": "Go 1.27 "}`, `"text": "Go 1.27 "}, {"functionCall": {"name": "list", "id": "c1"}}`, 1)
	b.Garble(t)
}
