package openai

import (
	"encoding/json"
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
	sent := s.Sent(0)
	require.Regexp(t, `^[0-9a-f]{32}$`, sent["prompt_cache_key"])
	delete(sent, "prompt_cache_key")
	require.Equal(t, wiretest.JSON(t, `{
		"model": "gpt-5", "instructions": "Be brief.", "stream": true, "store": false, "max_output_tokens": 500,
		"include": ["reasoning.encrypted_content"], "reasoning": {"summary": "auto"},
		"input": [{"role": "user", "content": [{"type": "input_text", "text": "Hello?"}]}],
		"tools": [
			{"type": "function", "name": "list", "strict": false, "parameters": {"type": "object", "properties": {}}},
			{"type": "function", "name": "write", "description": "Writes.", "strict": false,
			 "parameters": {"type": "object", "properties": {"n": {"type": "integer", "maximum": 60000}}, "required": ["n"]}}
		]}`), any(sent))
}

func TestTranscriptGoesBackVerbatim(t *testing.T) {
	p, s := serve(t, wiretest.Play(t, "calls.sse"), wiretest.Play(t, "text.sse"))
	req := hello()
	res, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	req.Messages = append(req.Messages, res.Message, agent.Message{Role: agent.RoleTool, Parts: []agent.Part{
		{Result: &agent.CallResult{Call: "call_RkdBAWwBSsp5", Name: "read", Text: "package main"}},
		{Result: &agent.CallResult{Call: "call_9zQTjVx2Lm0c", Name: "grep", Text: "no file", IsError: true}},
	}})
	_, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, wiretest.JSON(t, `[
		{"role": "user", "content": [{"type": "input_text", "text": "Hello?"}]},
		{"type": "reasoning", "id": "rs_68af4030baa48193b0b43b4c2a176a1a", "encrypted_content": "gAAAAABor0AzENCRYPTED-reasoning_content==",
		 "summary": [{"type": "summary_text", "text": "**Looking**\n\nI read the file first.\n\n**Then**\n\nI search."}]},
		{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I will look.", "annotations": []}]},
		{"type": "function_call", "call_id": "call_RkdBAWwBSsp5", "name": "read", "arguments": "{\"path\":\"main.go\"}"},
		{"type": "function_call", "call_id": "call_9zQTjVx2Lm0c", "name": "grep", "arguments": "{\"pattern\":\"TODO \\\"x\\\"\",\"path\":\".\"}"},
		{"type": "function_call_output", "call_id": "call_RkdBAWwBSsp5", "output": "package main"},
		{"type": "function_call_output", "call_id": "call_9zQTjVx2Lm0c", "output": "no file"}
	]`), s.Sent(1)["input"])
	first, second := s.Bodies()[0], s.Bodies()[1]
	at := strings.Index(first, "Hello?")
	require.Positive(t, at)
	require.Equal(t, first[:at], second[:at], "a longer transcript begins like the shorter one")
}

func sentInput(t *testing.T, messages ...agent.Message) any {
	t.Helper()
	p, s := serve(t, wiretest.Play(t, "text.sse"))
	_, _, err := wiretest.Ask(t, p, agent.Request{Model: "gpt-5", Messages: messages})
	require.NoError(t, err)
	return s.Sent(0)["input"]
}

func TestImages(t *testing.T) {
	png, tiff := agent.Image{MediaType: "image/png", Data: []byte("png")}, agent.Image{MediaType: "image/tiff", Data: []byte("x")}
	got := sentInput(t,
		agent.Message{Role: agent.RoleUser, Parts: []agent.Part{{Text: "See:"}, {Image: &png}, {Image: &tiff}}},
		agent.Message{Role: agent.RoleTool, Parts: []agent.Part{
			{Result: &agent.CallResult{Call: "call_1", Name: "read", Text: "a picture", Images: []agent.Image{png, tiff}}},
		}})
	require.Equal(t, wiretest.JSON(t, `[
		{"role": "user", "content": [{"type": "input_text", "text": "See:"},
			{"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,cG5n"},
			{"type": "input_text", "text": "[an image of type image/tiff was left out: it cannot be shown to this model]"}]},
		{"type": "function_call_output", "call_id": "call_1", "output": [
			{"type": "input_text", "text": "a picture"}, {"type": "input_image", "image_url": "data:image/png;base64,cG5n"},
			{"type": "input_text", "text": "[an image of type image/tiff was left out: it cannot be shown to this model]"}]}
	]`), got)
}

func TestWhatIsNotSent(t *testing.T) {
	thinking := func(provider, signature string) agent.Part {
		return agent.Part{Thinking: &agent.Thinking{ID: "rs_1", Text: "hm", Signature: signature, Provider: provider}}
	}
	got := sentInput(t,
		agent.Message{Role: agent.RoleUser, Parts: []agent.Part{{Text: ""}}},
		agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{thinking("openai", "sealed")}}, // it led to nothing
		agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{thinking("anthropic", "sig"), {Text: "one"}}},
		agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{thinking("openai", ""), {Text: "two"}}},
		agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Text: ""}}},
		agent.Say("three"))
	require.Equal(t, wiretest.JSON(t, `[
		{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "one", "annotations": []}]},
		{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "two", "annotations": []}]},
		{"role": "user", "content": [{"type": "input_text", "text": "three"}]}
	]`), got)
}

func TestCallsAreSentSoThatTheAPITakesThem(t *testing.T) {
	long := lifecycle.CallID(strings.Repeat("x", 65))
	got := sentInput(t, agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{
		{Call: &agent.Call{ID: "a", Name: "read", Input: json.RawMessage(`{"path": oops`)}},
		{Call: &agent.Call{ID: "b", Name: "functions.read file", Input: json.RawMessage(`[1]`)}},
		{Call: &agent.Call{ID: long, Name: "", Input: nil}},
	}}, agent.Message{Role: agent.RoleTool, Parts: []agent.Part{{Result: &agent.CallResult{Call: long, Text: "ok"}}}}).([]any)
	require.JSONEq(t, `{"_invalid":"{\"path\": oops"}`, got[0].(map[string]any)["arguments"].(string))
	require.JSONEq(t, `{"_invalid":"[1]"}`, got[1].(map[string]any)["arguments"].(string))
	require.Equal(t, "functions_read_file", got[1].(map[string]any)["name"])
	require.Equal(t, "{}", got[2].(map[string]any)["arguments"])
	require.Equal(t, "unnamed", got[2].(map[string]any)["name"])
	short := got[2].(map[string]any)["call_id"].(string)
	require.LessOrEqual(t, len(short), maxCallID)
	require.Equal(t, short, got[3].(map[string]any)["call_id"], "a call and its result keep together")
}

func TestNoKeyNoHeader(t *testing.T) {
	p, s := serve(t, wiretest.Play(t, "text.sse"))
	p = New(Options{BaseURL: p.server.Base, HTTPClient: p.server.Client})
	_, _, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Empty(t, s.Last().Header.Values("Authorization"))
}

func TestModels(t *testing.T) {
	p, s := serve(t, wiretest.Reply{Body: `{"object":"list","data":[{"id":"o4-mini","object":"model"},{"id":"gpt-5"}]}`})
	offers, err := p.Models(t.Context())
	require.NoError(t, err)
	require.Equal(t, []agent.ModelListing{{Name: "gpt-5"}, {Name: "o4-mini"}}, offers)
	require.Equal(t, "/v1/models", s.Last().URL.Path)
	require.Equal(t, "Bearer "+key, s.Last().Header.Get("Authorization"))
}

// Whoever is known not to think is not asked to show it: it would refuse.
func TestWhoDoesNotThinkIsNotAskedToShowIt(t *testing.T) {
	for thinking, asked := range map[agent.Ability]bool{agent.Unknown: true, agent.Able: true, agent.Unable: false} {
		p, s := serve(t, wiretest.Play(t, "text.sse"))
		req := hello()
		req.Thinking = thinking
		_, _, err := wiretest.Ask(t, p, req)
		require.NoError(t, err)
		require.Equal(t, asked, strings.Contains(s.Bodies()[0], `"summary"`), thinking)
		require.Equal(t, asked, strings.Contains(s.Bodies()[0], "reasoning.encrypted_content"), thinking)
	}
}

func TestAddresses(t *testing.T) {
	require.Equal(t, "https://api.openai.com/v1", New(Options{}).server.Base)
	require.Equal(t, "https://host/v1", New(Options{BaseURL: "host/v1/"}).server.Base)
}

// Whether a message is the answer or on the way to it goes back with it.
func TestPhasesGoBack(t *testing.T) {
	p, s := serve(t, wiretest.Play(t, "short.sse"), wiretest.Play(t, "text.sse"))
	req := hello()
	res, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, "Hello, wörld.", res.Message.Text())
	req.Messages = append(req.Messages, res.Message, agent.Say("go on"))
	_, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)
	items := s.Sent(1)["input"].([]any)
	require.Equal(t, wiretest.JSON(t, `{"type": "message", "role": "assistant", "phase": "commentary", "content": [{"type": "output_text", "text": "Hello, wörld.", "annotations": []}]}`), items[2])
	require.Len(t, items, 5, "the question, the reasoning, the message, the call, and the next question")
}
