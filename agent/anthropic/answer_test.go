package anthropic

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
	"pawl/lifecycle"
)

func said(parts ...agent.Part) agent.Message {
	return agent.Message{Role: agent.RoleAssistant, Parts: parts}
}

func call(id, name, input string) agent.Part {
	return agent.Part{Call: &agent.Call{ID: lifecycle.CallID(id), Name: name, Input: json.RawMessage(input)}}
}

func thought(t agent.Thinking) agent.Part {
	t.Provider = Name
	return agent.Part{Thinking: &t}
}

var thinkingAnswer = said(
	thought(agent.Thinking{Text: "Let me look at the file.", Signature: "EqQBCgIYAhIM1gbcDkFKSw=="}),
	thought(agent.Thinking{Signature: "EmwKAhgBEgy3va3pzix/LafPsn4a", Redacted: true}),
	thought(agent.Thinking{Signature: "EuYBCkQYBCJAhidden"}),
	agent.Part{Text: "I will read it."},
	call("toolu_01T1x1fJ34qAmk2tNTrN7Up6", "read", `{"path": "a.go"}`),
)

func TestAnswers(t *testing.T) {
	for _, test := range []struct {
		recording string
		answer    agent.Response
		pieces    wiretest.Heard
	}{{
		recording: "text",
		answer: agent.Response{
			Message: said(agent.Part{Text: "Hello, Wörld 🌍!"}), Stop: agent.StopEnd,
			Usage: lifecycle.Usage{InputTokens: 25, OutputTokens: 15},
		},
		pieces: wiretest.Heard{{Text: "Hello"}, {Text: ", Wörld"}, {Text: " 🌍!"}},
	}, {
		recording: "thinking",
		answer:    agent.Response{Message: thinkingAnswer, Stop: agent.StopToolCalls, Usage: lifecycle.Usage{InputTokens: 25, OutputTokens: 89}},
		pieces:    wiretest.Heard{{Thinking: "Let me look at "}, {Thinking: "the file."}, {Text: "I will read it."}, {Call: "read"}},
	}, {
		recording: "invalid_arguments",
		answer: agent.Response{
			Message: said(call("toolu_A", "write", `{"path": "a.txt", "content": "half`)),
			Stop:    agent.StopLength, Usage: lifecycle.Usage{InputTokens: 25, OutputTokens: 4096},
		},
		pieces: wiretest.Heard{{Call: "write"}},
	}, {
		recording: "cached",
		answer: agent.Response{
			Message: said(agent.Part{Text: "ok"}), Stop: agent.StopEnd,
			Usage: lifecycle.Usage{InputTokens: 5 + 310 + 12001, CachedTokens: 12001, CacheWriteTokens: 310, OutputTokens: 503},
		},
		pieces: wiretest.Heard{{Text: "ok"}},
	}, {
		recording: "refusal",
		answer: agent.Response{
			Message: said(agent.Part{Text: "Here is how"}), Stop: agent.StopRefused, Refusal: "This request touches on cyber harm.",
			Usage: lifecycle.Usage{InputTokens: 25, OutputTokens: 4},
		},
		pieces: wiretest.Heard{{Text: "Here is how"}},
	}, {
		recording: "unknown_kinds",
		answer: agent.Response{
			Message: said(agent.Part{Text: "Still here."}), Stop: agent.StopEnd,
			Usage: lifecycle.Usage{InputTokens: 25, OutputTokens: 15},
		},
		pieces: wiretest.Heard{{Text: "Still here."}},
	}} {
		t.Run(test.recording, func(t *testing.T) {
			answer, pieces, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, test.recording), nil, nil)), hello())
			require.NoError(t, err)
			test.answer.Said = answer.Said // see TestAnAnswerSaysWhoGaveIt
			require.Equal(t, test.answer, answer)
			require.Equal(t, test.pieces, pieces)
		})
	}
}

// Pieces of several calls come in turns; one is without arguments, one has them
// in its start, and its id is that of the call before.
func TestParallelCalls(t *testing.T) {
	req := hello()
	req.Messages = append(req.Messages, said(call("toolu_B", "grep", `{}`)))
	answer, pieces, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "tools"), nil, nil)), req)
	require.NoError(t, err)
	require.Equal(t, agent.StopToolCalls, answer.Stop)
	require.Equal(t, wiretest.Heard{{Text: "Both at once."}, {Call: "read"}, {Call: "grep"}, {Call: "todo"}, {Call: "list"}}, pieces)

	calls := answer.Message.Calls()
	require.Len(t, calls, 4)
	minted := []lifecycle.CallID{calls[1].ID, calls[3].ID}
	for _, id := range minted { // one stands in the history already, one is said twice
		require.True(t, strings.HasPrefix(string(id), "call_"), id)
	}
	require.NotEqual(t, minted[0], minted[1])
	require.Equal(t, said(
		agent.Part{Text: "Both at once."},
		call("toolu_A", "read", `{"path": "src/ä.go", "limit": 12345678901234567890}`),
		call(string(minted[0]), "grep", `{"pattern":"func"}`),
		call("toolu_C", "todo", `{}`),
		call(string(minted[1]), "list", `{"path":"."}`),
	), answer.Message)
}

func TestStopReasons(t *testing.T) {
	for said, want := range map[string]agent.StopReason{
		"end_turn": agent.StopEnd, "stop_sequence": agent.StopEnd, "tool_use": agent.StopToolCalls,
		"max_tokens": agent.StopLength, "model_context_window_exceeded": agent.StopLength,
		"refusal": agent.StopRefused, "pause_turn": agent.StopUnknown, "tea_time": agent.StopUnknown,
	} {
		stream := strings.Replace(recording(t, "text"), `"end_turn"`, `"`+said+`"`, 1)
		answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(stream, nil, nil)), hello())
		require.NoError(t, err, said)
		require.Equal(t, want, answer.Stop, said)
		require.Equal(t, "Hello, Wörld 🌍!", answer.Message.Text(), said)
	}
}

func TestRefusalWithoutAnExplanation(t *testing.T) {
	for details, want := range map[string]string{
		`{"type":"refusal","category":"cyber","explanation":null}`: "cyber", `{"type":"refusal","category":null,"explanation":null}`: "", `null`: "",
	} {
		stream := recording(t, "refusal")
		i := strings.Index(stream, `{"type":"refusal"`)
		j := i + strings.Index(stream[i:], "}") + 1
		answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(stream[:i]+details+stream[j:], nil, nil)), hello())
		require.NoError(t, err)
		require.Equal(t, agent.StopRefused, answer.Stop)
		require.Equal(t, want, answer.Refusal)
	}
}

func TestLargeEvent(t *testing.T) {
	large := strings.Repeat("x", 10<<20)
	stream := strings.Replace(recording(t, "text"), `"Hello"`, `"`+large+`"`, 1)
	answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(stream, nil, nil)), hello())
	require.NoError(t, err)
	require.Len(t, answer.Message.Text(), len(large)+len(", Wörld 🌍!"))
}

func TestAnAnswerSaysWhoGaveIt(t *testing.T) {
	answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "text"), nil, nil)), hello())
	require.NoError(t, err)
	require.Equal(t, lifecycle.Response{Model: "claude-sonnet-4-5-20250929", ID: "msg_01Pawl", Finish: "end_turn"}, answer.Said)
}
