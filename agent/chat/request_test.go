package chat

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

func TestFirstRequest(t *testing.T) {
	p, s := serve(t, wiretest.Play(t, "text.sse"))
	req := hello()
	req.MaxTokens = 500
	req.Tools = []agent.ToolSpec{
		{Name: "write", Description: "Writes.", Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","maximum":60000}},"required":["n"]}`)},
		{Name: "list", Schema: json.RawMessage(`{"type":"object"}`)},
	}
	_, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, wiretest.JSON(t, `{
		"model": "gpt-5", "stream": true, "stream_options": {"include_usage": true}, "max_tokens": 500,
		"messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello?"}],
		"tools": [
			{"type": "function", "function": {"name": "list", "parameters": {"type": "object", "properties": {}}}},
			{"type": "function", "function": {"name": "write", "description": "Writes.",
			 "parameters": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 60000}}, "required": ["n"]}}}
		]}`), any(s.Sent(0)))
}

func messages(t *testing.T, list ...agent.Message) any {
	t.Helper()
	p, s := serve(t, wiretest.Play(t, "text.sse"))
	_, _, err := wiretest.Ask(t, p, agent.Request{Model: "m", Messages: list})
	require.NoError(t, err)
	return s.Sent(0)["messages"]
}

func TestTranscriptGoesBack(t *testing.T) {
	for file, want := range map[string]string{
		"calls.sse": `{"role": "assistant", "content": "I will look.", "tool_calls": [
			{"id": "call_RkdBAWwBSsp5", "type": "function", "function": {"name": "read", "arguments": "{\"path\":\"main.go\"}"}},
			{"id": "call_9zQTjVx2Lm0c", "type": "function", "function": {"name": "grep", "arguments": "{\"pattern\":\"TODO \\\"x\\\"\",\"path\":\".\"}"}}]}`,
		"deepseek.sse": `{"role": "assistant", "content": null, "reasoning_content": "Let me look.", "tool_calls": [
			{"id": "call_00_abc", "type": "function", "function": {"name": "read", "arguments": "{\"path\":\"a.go\"}"}}]}`,
		"ollama.sse": `{"role": "assistant", "content": null, "reasoning": "Two files to read.", "tool_calls": [
			{"id": "call_e5wk2c1f", "type": "function", "function": {"name": "read", "arguments": "{\"path\":\"a.go\"}"}},
			{"id": "call_p0k3x7vv", "type": "function", "function": {"name": "read", "arguments": "{\"path\":\"b.go\"}"}}]}`,
		"gemini.sse": `{"role": "assistant", "content": null, "tool_calls": [
			{"id": "function-call-1", "type": "function", "function": {"name": "list", "arguments": "{}"},
			 "extra_content": {"google": {"thought_signature": "EuIBCt8B"}}}]}`,
		"mistral.sse": `{"role": "assistant", "content": "Hi there"}`,
	} {
		t.Run(file, func(t *testing.T) {
			p, s := serve(t, wiretest.Play(t, file), wiretest.Play(t, "text.sse"))
			req := hello()
			res, _, err := wiretest.Ask(t, p, req)
			require.NoError(t, err)
			req.Messages = append(req.Messages, res.Message, agent.Message{Role: agent.RoleTool, Parts: []agent.Part{
				{Result: &agent.CallResult{Call: "one", Name: "read", Text: "package main"}},
				{Result: &agent.CallResult{Call: "two", Name: "grep", Text: "no file", IsError: true}},
			}})
			_, _, err = wiretest.Ask(t, p, req)
			require.NoError(t, err)
			sent := s.Sent(1)["messages"].([]any)
			require.Equal(t, wiretest.JSON(t, want), sent[2])
			require.Equal(t, wiretest.JSON(t, `[{"role": "tool", "tool_call_id": "one", "content": "package main"},
				{"role": "tool", "tool_call_id": "two", "content": "no file"}]`), any(sent[3:]))
		})
	}
}

func TestALongerTranscriptBeginsLikeTheShorterOne(t *testing.T) {
	p, s := serve(t, wiretest.Play(t, "text.sse"))
	req := hello()
	_, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	req.Messages = append(req.Messages, whole(), agent.Say("go on"))
	_, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	at := strings.Index(s.Bodies()[0], "Hello?") + len(`Hello?"}`)
	require.Equal(t, s.Bodies()[0][:at], s.Bodies()[1][:at])
}

func TestImages(t *testing.T) {
	png := agent.Image{MediaType: "image/png", Data: []byte("png")}
	result := func(id lifecycle.CallID, images ...agent.Image) agent.Part {
		return agent.Part{Result: &agent.CallResult{Call: id, Name: "read", Text: "done", Images: images}}
	}
	require.Equal(t, wiretest.JSON(t, `[
		{"role": "user", "content": [{"type": "text", "text": "See:"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}}]},
		{"role": "tool", "tool_call_id": "a", "content": "done"},
		{"role": "tool", "tool_call_id": "b", "content": "done"},
		{"role": "user", "content": [{"type": "text", "text": "The result of read (a) has these images:"},
			{"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}}]}
	]`), messages(t,
		agent.Message{Role: agent.RoleUser, Parts: []agent.Part{{Text: "See:"}, {Image: &png}}},
		agent.Message{Role: agent.RoleTool, Parts: []agent.Part{result("a", png), result("b")}}))
}

func TestWhatIsNotSent(t *testing.T) {
	thinking := func(provider string) agent.Part {
		return agent.Part{Thinking: &agent.Thinking{Text: "hm", Signature: "reasoning_content", Provider: provider}}
	}
	call := agent.Part{Call: &agent.Call{ID: "a", Name: "list", Signature: `{"x":1}`, Provider: "gemini"}}
	require.Equal(t, wiretest.JSON(t, `[
		{"role": "assistant", "content": "one"},
		{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "list", "arguments": "{}"}}]},
		{"role": "user", "content": "two\n\nthree"}
	]`), messages(t,
		agent.Message{Role: agent.RoleUser, Parts: []agent.Part{{Text: ""}}},
		agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{thinking(NameOpenAI)}},
		agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{thinking(NameOpenAI), {Text: "one"}}}, // nothing followed from it
		agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{thinking("anthropic"), call}},
		agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Text: ""}}},
		agent.Message{Role: agent.RoleUser, Parts: []agent.Part{{Text: "two"}, {Text: "three"}}}))
}

func TestCallsAreSentSoThatServersTakeThem(t *testing.T) {
	got := messages(t, agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{
		{Call: &agent.Call{ID: "a", Name: "read", Input: json.RawMessage(`{"path": oops`)}},
		{Call: &agent.Call{ID: "b", Name: "functions.read file", Input: json.RawMessage(`[1]`)}},
		{Call: &agent.Call{ID: "c", Name: "", Input: nil}},
	}}).([]any)[0].(map[string]any)["tool_calls"].([]any)
	function := func(i int) map[string]any { return got[i].(map[string]any)["function"].(map[string]any) }
	require.JSONEq(t, `{"_invalid":"{\"path\": oops"}`, function(0)["arguments"].(string))
	require.JSONEq(t, `{"_invalid":"[1]"}`, function(1)["arguments"].(string))
	require.Equal(t, "functions_read_file", function(1)["name"])
	require.Equal(t, "{}", function(2)["arguments"])
	require.Equal(t, "unnamed", function(2)["name"])
}

// redirect sends OpenAI's own address to the test's server.
type redirect struct {
	to   string
	next http.RoundTripper
}

func (r redirect) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.URL.Scheme, req.URL.Host = "http", r.to
	return r.next.RoundTrip(req)
}

func TestOpenAIItselfIsAskedInItsOwnWay(t *testing.T) {
	p, s := serve(t, wiretest.Play(t, "text.sse"))
	host := strings.TrimSuffix(strings.TrimPrefix(p.server.Base, "http://"), "/v1")
	p = New(Options{Key: key, HTTPClient: &http.Client{Transport: redirect{host, p.server.Client.Transport}}})
	long := lifecycle.NewCallID()
	req := hello()
	req.MaxTokens = 500
	req.Messages = append(req.Messages,
		agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Call: &agent.Call{ID: long, Name: "list"}}}},
		agent.Message{Role: agent.RoleTool, Parts: []agent.Part{{Result: &agent.CallResult{Call: long, Text: "ok"}}}})
	_, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	sent := s.Sent(0)
	require.EqualValues(t, 500, sent["max_completion_tokens"])
	require.NotContains(t, sent, "max_tokens")
	require.Regexp(t, `^[0-9a-f]{32}$`, sent["prompt_cache_key"])
	list := sent["messages"].([]any)
	id := list[2].(map[string]any)["tool_calls"].([]any)[0].(map[string]any)["id"].(string)
	require.LessOrEqual(t, len(id), maxCallID)
	require.Equal(t, id, list[3].(map[string]any)["tool_call_id"])
}

func TestAddresses(t *testing.T) {
	require.Equal(t, "https://api.openai.com/v1", New(Options{}).server.Base)
	require.Equal(t, "https://host/v1", New(Options{BaseURL: "host/v1/"}).server.Base)
	for given, want := range map[string]string{
		"":                      "http://127.0.0.1:11434/v1",
		"gpu":                   "http://gpu:11434/v1",
		"0.0.0.0":               "http://127.0.0.1:11434/v1",
		"0.0.0.0:8080":          "http://127.0.0.1:8080/v1",
		":11434":                "http://127.0.0.1:11434/v1",
		"[::1]:9":               "http://[::1]:9/v1",
		"http://gpu:11434/":     "http://gpu:11434/v1",
		"https://gpu.example":   "https://gpu.example/v1",
		"https://gpu/ollama/v1": "https://gpu/ollama/v1",
	} {
		require.Equal(t, want, NewOllama(Options{BaseURL: given}).server.Base, given)
	}
}

func TestNoKeyNoHeader(t *testing.T) {
	p, s := serve(t, wiretest.Play(t, "text.sse"))
	p = NewOllama(Options{BaseURL: p.server.Base, HTTPClient: p.server.Client})
	res, _, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, agent.StopEnd, res.Stop)
	require.Empty(t, s.Last().Header.Values("Authorization"))
}
