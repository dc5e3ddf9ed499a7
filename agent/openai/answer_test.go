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

func TestTextWithCachedUsage(t *testing.T) {
	p, s := serve(t, wiretest.Play(t, "text.sse"))
	res, heard, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, agent.Response{
		Message: agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{{Text: "Hello, wörld."}}},
		Stop:    agent.StopEnd,
		Usage:   lifecycle.Usage{InputTokens: 2006, CachedTokens: 1920, OutputTokens: 300},
		Said:    lifecycle.Response{Model: "gpt-5", ID: "resp_68af4030592c81938ec0a5fbab4a3e9f05438e46b5f69a3b", Finish: "completed"},
	}, res)
	require.Equal(t, "Hello, wörld.", heard.Text())
	require.Equal(t, "Bearer "+key, s.Last().Header.Get("Authorization"))
	require.Equal(t, "/v1/responses", s.Last().URL.Path)
}

// whole is the answer in testdata/calls.sse.
func whole() agent.Message {
	return agent.Message{Role: agent.RoleAssistant, Parts: []agent.Part{
		{Thinking: &agent.Thinking{
			Text:      "**Looking**\n\nI read the file first.\n\n**Then**\n\nI search.",
			Signature: "gAAAAABor0AzENCRYPTED-reasoning_content==",
			ID:        "rs_68af4030baa48193b0b43b4c2a176a1a",
			Provider:  "openai",
		}},
		{Text: "I will look."},
		{Call: &agent.Call{ID: "call_RkdBAWwBSsp5", Name: "read", Input: json.RawMessage(`{"path":"main.go"}`)}},
		{Call: &agent.Call{ID: "call_9zQTjVx2Lm0c", Name: "grep", Input: json.RawMessage(`{"pattern":"TODO \"x\"","path":"."}`)}},
	}}
}

func TestReasoningAndParallelCallsInPieces(t *testing.T) {
	p, _ := serve(t, wiretest.Play(t, "calls.sse"))
	res, heard, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, agent.Response{
		Message: whole(),
		Stop:    agent.StopToolCalls,
		Usage:   lifecycle.Usage{InputTokens: 81, OutputTokens: 1035},
		Said:    res.Said,
	}, res)
	require.Equal(t, "I will look.", heard.Text())
	require.Equal(t, whole().Parts[0].Thinking.Text, heard.Thinking())
	require.Equal(t, []string{"read", "grep"}, heard.Calls())
}

func TestStopReasons(t *testing.T) {
	for file, want := range map[string]agent.StopReason{
		"text.sse": agent.StopEnd, "calls.sse": agent.StopToolCalls, "length.sse": agent.StopLength,
		"filter.sse": agent.StopRefused, "refusal.sse": agent.StopRefused, "unknown.sse": agent.StopUnknown,
	} {
		t.Run(file, func(t *testing.T) {
			p, _ := serve(t, wiretest.Play(t, file))
			res, heard, err := wiretest.Ask(t, p, hello())
			require.NoError(t, err)
			require.Equal(t, want, res.Stop)
			require.NotEmpty(t, res.Message.Text())
			require.Equal(t, res.Message.Text(), heard.Text(), "people saw what the transcript holds")
		})
	}
}

func TestRefusalKeepsItsText(t *testing.T) {
	p, _ := serve(t, wiretest.Play(t, "refusal.sse"))
	res, _, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, "I can't help with that.", res.Message.Text())
	require.Equal(t, "I can't help with that.", res.Refusal)
}

func TestIncompleteWithoutDetailsIsNoNormalEnd(t *testing.T) {
	data := `data: {"type":"response.incomplete","response":{"output":[]}}` + "\n\n"
	p, _ := serve(t, wiretest.Reply{Body: data})
	res, _, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, agent.StopUnknown, res.Stop)
}

// Servers other than OpenAI's leave events out.
func TestSparseStreams(t *testing.T) {
	for _, file := range []string{"bare.sse", "final_only.sse"} {
		t.Run(file, func(t *testing.T) {
			p, _ := serve(t, wiretest.Play(t, file))
			res, heard, err := wiretest.Ask(t, p, hello())
			require.NoError(t, err)
			require.Equal(t, agent.StopToolCalls, res.Stop)
			require.Equal(t, "Hi there", res.Message.Text())
			require.Equal(t, "Hi there", heard.Text())
			require.Equal(t, []string{"list"}, heard.Calls())
			require.Len(t, res.Message.Calls(), 1)
			require.NotEmpty(t, res.Message.Calls()[0].ID)
		})
	}
}

// Each row is one way in which a stream of this API is odd and still whole; what
// streams have in common is wiretest's.
func TestOddStreams(t *testing.T) {
	text := wiretest.Play(t, "text.sse").Body
	for name, body := range map[string]string{
		"no type in first": "data: {}\n\n" + text,
		"repeated item":    strings.Replace(text, "event: response.content_part.added", "event: response.created\ndata: {\"type\":\"response.created\"}\n\nevent: response.content_part.added", 1),
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

func TestInvalidArgumentsAreKept(t *testing.T) {
	body := strings.ReplaceAll(wiretest.Play(t, "final_only.sse").Body, `"arguments":"{}"`, `"arguments":"{\"path\": oops"`)
	p, _ := serve(t, wiretest.Reply{Body: body})
	res, _, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, `{"path": oops`, string(res.Message.Calls()[0].Input))
}

func TestNobodyListens(t *testing.T) {
	p, _ := serve(t, wiretest.Play(t, "calls.sse"))
	res, err := p.Stream(t.Context(), hello(), func(agent.Delta) {})
	require.NoError(t, err)
	require.Equal(t, whole(), res.Message)
}
