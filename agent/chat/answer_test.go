package chat

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

func TestTextWithCachedUsage(t *testing.T) {
	p, s := serve(t, wiretest.Play(t, "text.sse"))
	res, heard, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, agent.Response{
		Message: agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Text: "Hello, wörld."}}},
		Stop:    agent.StopEnd,
		Usage:   lifecycle.Usage{InputTokens: 2006, CachedTokens: 1920, OutputTokens: 300},
		Said:    lifecycle.Response{Model: "gpt-4.1", ID: "chatcmpl-C8xY3", Finish: "stop"},
	}, res)
	require.Equal(t, "Hello, wörld.", heard.Text())
	require.Equal(t, "Bearer "+key, s.Last().Header.Get("Authorization"))
	require.Equal(t, "/v1/chat/completions", s.Last().URL.Path)
}

// whole is the answer in testdata/calls.sse.
func whole() agent.Message {
	return agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{
		{Text: "I will look."},
		{Call: &agent.Call{ID: "call_RkdBAWwBSsp5", Name: "read", Input: json.RawMessage(`{"path":"main.go"}`)}},
		{Call: &agent.Call{ID: "call_9zQTjVx2Lm0c", Name: "grep", Input: json.RawMessage(`{"pattern":"TODO \"x\"","path":"."}`)}},
	}}
}

func TestParallelCallsInPieces(t *testing.T) {
	p, _ := serve(t, wiretest.Play(t, "calls.sse"))
	res, heard, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, agent.Response{
		Message: whole(), Stop: agent.StopToolCalls,
		Usage: lifecycle.Usage{InputTokens: 81, OutputTokens: 35},
		Said:  res.Said,
	}, res)
	require.Equal(t, "I will look.", heard.Text())
	require.Empty(t, heard.Thinking())
	require.Equal(t, []string{"read", "grep"}, heard.Calls())
}

// Each recording is another server's way to say the same kind of thing.
func TestServersOfManyKinds(t *testing.T) {
	thinking := func(text, field string) agent.Part {
		return agent.Part{Thinking: &agent.Thinking{Text: text, Signature: field, Provider: NameOpenAI}}
	}
	call := func(id lifecycle.CallID, name, input string) *agent.Call {
		return &agent.Call{ID: id, Name: name, Input: json.RawMessage(input)}
	}
	signed := call("function-call-1", "list", "{}")
	signed.Signature, signed.Provider = `{"google":{"thought_signature":"EuIBCt8B"}}`, NameOpenAI
	for file, want := range map[string]struct {
		stop  agent.StopReason
		usage lifecycle.Usage
		parts []agent.Part
	}{
		"deepseek.sse": {agent.StopToolCalls, lifecycle.Usage{InputTokens: 100, CachedTokens: 64, OutputTokens: 40}, []agent.Part{
			thinking("Let me look.", "reasoning_content"), {Call: call("call_00_abc", "read", `{"path":"a.go"}`)},
		}},
		"ollama.sse": {agent.StopToolCalls, lifecycle.Usage{InputTokens: 20, OutputTokens: 30}, []agent.Part{
			thinking("Two files to read.", "reasoning"),
			{Call: call("call_e5wk2c1f", "read", `{"path":"a.go"}`)},
			{Call: call("call_p0k3x7vv", "read", `{"path":"b.go"}`)},
		}},
		"kimi.sse":    {agent.StopEnd, lifecycle.Usage{InputTokens: 19, CachedTokens: 16, OutputTokens: 13}, []agent.Part{{Text: "Hi there"}}},
		"gemini.sse":  {agent.StopToolCalls, lifecycle.Usage{InputTokens: 60, OutputTokens: 110}, []agent.Part{{Call: signed}}},
		"mistral.sse": {agent.StopEnd, lifecycle.Usage{InputTokens: 5, OutputTokens: 3}, []agent.Part{thinking("Hm, so.", "content"), {Text: "Hi there"}}},
	} {
		t.Run(file, func(t *testing.T) {
			p, _ := serve(t, wiretest.Play(t, file))
			res, heard, err := wiretest.Ask(t, p, hello())
			require.NoError(t, err)
			require.Equal(t, agent.Response{Message: agent.Message{Role: agent.RoleAssistant, Parts: want.parts}, Stop: want.stop, Usage: want.usage, Said: res.Said}, res)
			require.NotEmpty(t, res.Said.Model)
			require.NotEmpty(t, res.Said.Finish)
			require.Equal(t, res.Message.Text(), heard.Text())
		})
	}
}

func TestStopReasons(t *testing.T) {
	for file, want := range map[string]agent.StopReason{
		"text.sse": agent.StopEnd, "calls.sse": agent.StopToolCalls, "length.sse": agent.StopLength,
		"filter.sse": agent.StopRefused, "refusal.sse": agent.StopRefused,
	} {
		t.Run(file, func(t *testing.T) {
			p, _ := serve(t, wiretest.Play(t, file))
			res, heard, err := wiretest.Ask(t, p, hello())
			require.NoError(t, err)
			require.Equal(t, want, res.Stop)
			require.NotEmpty(t, res.Message.Text())
			require.Equal(t, res.Message.Text(), heard.Text())
			if file == "refusal.sse" {
				require.Equal(t, "I can't help with that.", res.Refusal)
			} else {
				require.Empty(t, res.Refusal)
			}
		})
	}
	for word, want := range map[string]agent.StopReason{
		"end_turn": agent.StopEnd, "EOS": agent.StopEnd, "max_tokens": agent.StopLength, "SAFETY": agent.StopRefused, "whim": agent.StopUnknown,
	} {
		body := strings.ReplaceAll(wiretest.Play(t, "text.sse").Body, `"finish_reason":"stop"`, `"finish_reason":"`+word+`"`)
		p, _ := serve(t, wiretest.Reply{Body: body})
		res, _, err := wiretest.Ask(t, p, hello())
		require.NoError(t, err)
		require.Equal(t, want, res.Stop, word)
	}
}

// Each row is one way in which a stream of this API is odd and still whole; what
// streams have in common is wiretest's.
func TestOddStreams(t *testing.T) {
	text := wiretest.Play(t, "text.sse").Body
	undone := strings.TrimSuffix(text, "data: [DONE]\n\n")
	for name, body := range map[string]string{
		"no [DONE]":          undone,
		"no usage, no DONE":  undone[:strings.LastIndex(undone[:len(undone)-2], "data: ")],
		"error after whole":  undone + "data: {\"error\":{\"message\":\"late\"}}\n\n",
		"null finish":        strings.ReplaceAll(text, `"finish_reason":null`, `"finish_reason":""`),
		"odd field types":    strings.ReplaceAll(text, `"logprobs":null`, `"refusal":{"a":1},"index":"0"`),
		"second choice":      strings.Replace(text, "data: ", `data: {"choices":[{"index":1,"delta":{"content":"no"}}]}`+"\n\ndata: ", 1),
		"no choices at all":  "data: {}\n\ndata: null\n\n" + text,
		"not a stream":       `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello, wörld."},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`,
		"not one, indented":  "{\n  \"choices\": [\n {\"message\": {\n\"content\": \"Hello, wörld.\"}, \"finish_reason\": \"stop\"}]\n}\n",
		"usage in all":       strings.ReplaceAll(text, `"usage":null`, `"usage":{"prompt_tokens":1}`),
		"content null":       strings.Replace(text, `"content":""`, `"content":null`, 1),
		"delta null at stop": strings.Replace(text, `"delta":{},`, `"delta":null,`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := serve(t, wiretest.Reply{Body: body})
			res, heard, err := wiretest.Ask(t, p, hello())
			require.NoError(t, err)
			require.Equal(t, "Hello, wörld.", res.Message.Text())
			require.Equal(t, "Hello, wörld.", heard.Text())
			require.Equal(t, agent.StopEnd, res.Stop)
		})
	}
}

func TestNobodyListens(t *testing.T) {
	p, _ := serve(t, wiretest.Play(t, "calls.sse"))
	res, err := p.Stream(t.Context(), hello(), func(agent.Delta) {})
	require.NoError(t, err)
	require.Equal(t, whole(), res.Message)
}
