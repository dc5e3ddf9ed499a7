package gemini

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
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

func signed(part agent.Part, signature string) agent.Part {
	part.Call.Signature, part.Call.Provider = signatureText([]byte(signature)), Name
	return part
}

func thought(text, signature string) agent.Part {
	return agent.Part{Thinking: &agent.Thinking{Text: text, Signature: signatureText([]byte(signature)), Provider: Name}}
}

// signatureText is a signature as the server writes it.
func signatureText(signature []byte) string { return base64.StdEncoding.EncodeToString(signature) }

// textSignature is a signature of the text before it.
func textSignature(signature string) agent.Part {
	part := thought("", signature)
	part.Thinking.Redacted = true
	return part
}

var thinkingAnswer = said(
	thought("**Reading**\n\nLet me look at the file.", ""),
	agent.Part{Text: "I will read it."},
	textSignature("signature-of-textÿ"),
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
		answer:    agent.Response{Message: thinkingAnswer, Stop: agent.StopEnd, Usage: lifecycle.Usage{InputTokens: 25, OutputTokens: 98}},
		pieces:    wiretest.Heard{{Thinking: "**Reading**\n\nLet me look at "}, {Thinking: "the file."}, {Text: "I will "}, {Text: "read it."}},
	}, {
		recording: "cached",
		answer: agent.Response{
			Message: said(agent.Part{Text: "ok!"}), Stop: agent.StopEnd,
			Usage: lifecycle.Usage{InputTokens: 12320, CachedTokens: 12001, OutputTokens: 503},
		},
		pieces: wiretest.Heard{{Text: "ok"}, {Text: "!"}},
	}, {
		recording: "safety",
		answer: agent.Response{
			Message: said(agent.Part{Text: "Here is how"}), Stop: agent.StopRefused, Refusal: "SAFETY",
			Usage: lifecycle.Usage{InputTokens: 25, OutputTokens: 4},
		},
		pieces: wiretest.Heard{{Text: "Here is how"}},
	}, {
		recording: "blocked",
		answer:    agent.Response{Message: said(), Stop: agent.StopRefused, Refusal: "PROHIBITED_CONTENT", Usage: lifecycle.Usage{InputTokens: 25}},
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

func TestWordsOfARefusal(t *testing.T) {
	reason := `"blockReason": "PROHIBITED_CONTENT"`
	stream := strings.Replace(recording(t, "blocked"), reason, reason+`, "blockReasonMessage": "Too\nhot."`, 1)
	answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(stream, nil, nil)), hello())
	require.NoError(t, err)
	require.Equal(t, "Too hot.", answer.Refusal)
	answer, _, err = wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "text"), nil, nil)), hello())
	require.NoError(t, err)
	require.Empty(t, answer.Refusal)
}

// Several calls, the first of them signed; one without id, one with the id of
// another, one with an id that the history has.
func TestParallelCalls(t *testing.T) {
	req := hello()
	req.Messages = append(req.Messages, said(call("taken", "grep", `{}`)))
	answer, pieces, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "tools"), nil, nil)), req)
	require.NoError(t, err)
	require.Equal(t, agent.StopToolCalls, answer.Stop)
	require.Equal(t, wiretest.Heard{{Thinking: "I need both."}, {Text: "Both at once."}, {Call: "read"}, {Call: "grep"}, {Call: "todo"}, {Call: "list"}}, pieces)

	calls := answer.Message.Calls()
	require.Len(t, calls, 4)
	ids := map[lifecycle.CallID]bool{}
	for _, c := range calls[1:] {
		require.True(t, strings.HasPrefix(string(c.ID), "call_"), c.ID)
		ids[c.ID] = true
	}
	require.Len(t, ids, 3)
	require.Equal(t, said(
		thought("I need both.", "signature-of-thought"),
		agent.Part{Text: "Both at once."},
		signed(call("jm4owj31", "read", `{"limit":3,"path":"src/<ä>.go"}`), "signature-of-call"),
		call(string(calls[1].ID), "grep", `{"pattern":"func"}`),
		call(string(calls[2].ID), "todo", `{}`),
		call(string(calls[3].ID), "list", `{}`),
	), answer.Message)
}

func TestStopReasons(t *testing.T) {
	for said, want := range map[string]agent.StopReason{
		"STOP": agent.StopEnd, "MAX_TOKENS": agent.StopLength, "SAFETY": agent.StopRefused, "RECITATION": agent.StopRefused,
		"LANGUAGE": agent.StopRefused, "BLOCKLIST": agent.StopRefused, "PROHIBITED_CONTENT": agent.StopRefused,
		"SPII": agent.StopRefused, "IMAGE_SAFETY": agent.StopRefused, "MODEL_ARMOR": agent.StopRefused,
		"OTHER": agent.StopUnknown, "TOO_MANY_TOOL_CALLS": agent.StopUnknown, "NO_IMAGE": agent.StopUnknown, "TEA_TIME": agent.StopUnknown,
		"CONTINUATION": agent.StopLength, // without a token there is no going on
	} {
		stream := strings.Replace(recording(t, "text"), `"STOP"`, `"`+said+`"`, 1)
		answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(stream, nil, nil)), hello())
		require.NoError(t, err, said)
		require.Equal(t, want, answer.Stop, said)
		require.Equal(t, "Hello, Wörld 🌍!", answer.Message.Text(), said)
	}
	require.Equal(t, agent.StopToolCalls, stopReason("STOP", true))
}

// A model that stumbles over its own call is asked again, by the loop.
func TestStumbled(t *testing.T) {
	_, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "stumbled"), nil, nil)), hello())
	var failure *agent.ProviderError
	require.ErrorAs(t, err, &failure)
	require.True(t, failure.Temporary)
	require.Equal(t, "Gemini sent an answer that makes no sense: MALFORMED_FUNCTION_CALL", failure.Message)
}

// An answer in two requests is one, and is paid for twice.
func TestContinuedAnswer(t *testing.T) {
	var bodies []string
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(b))
		stream := recording(t, "continued_1")
		if len(bodies) > 1 {
			stream = recording(t, "continued_2")
		}
		_, _ = io.WriteString(w, stream)
	})
	answer, _, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, agent.Response{
		Message: said(agent.Part{Text: "One, two, three."}), Stop: agent.StopEnd,
		Usage: lifecycle.Usage{InputTokens: 35, OutputTokens: 5}, Earlier: []lifecycle.Usage{{InputTokens: 25, OutputTokens: 10}},
		Said: answer.Said,
	}, answer)
	require.Len(t, bodies, 2)
	require.NotContains(t, bodies[0], "continuationToken")
	require.Contains(t, bodies[1], `"continuationToken":"`+signatureText([]byte("go-on"))+`"`)
}

// A server that gives the same token again does not keep Pawl asking.
func TestContinuationThatLeadsNowhere(t *testing.T) {
	requests := 0
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		_, _ = io.WriteString(w, recording(t, "continued_1"))
	})
	answer, _, err := wiretest.Ask(t, p, hello())
	require.NoError(t, err)
	require.Equal(t, agent.StopLength, answer.Stop)
	require.Equal(t, 2, requests)
}

func TestLargeEvent(t *testing.T) {
	large := strings.Repeat("x", 10<<20)
	stream := strings.Replace(recording(t, "text"), `"Hello"`, `"`+large+`"`, 1)
	answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(stream, nil, nil)), hello())
	require.NoError(t, err)
	require.Len(t, answer.Message.Text(), len(large)+len(", Wörld 🌍!"))
}

func TestSideBySide(t *testing.T) {
	p := serve(t, wiretest.Streams(recording(t, "tools"), nil, nil))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			answer, err := p.Stream(t.Context(), hello(), func(agent.Delta) {})
			if err != nil || len(answer.Message.Calls()) != 4 {
				t.Errorf("answer %v, error %v", answer, err)
			}
		})
	}
	all.Wait()
}

func TestAnAnswerSaysWhoGaveIt(t *testing.T) {
	answer, _, err := wiretest.Ask(t, serve(t, wiretest.Streams(recording(t, "text"), nil, nil)), hello())
	require.NoError(t, err)
	require.Equal(t, lifecycle.Response{Model: "gemini-2.5-pro", ID: "Pawl0123", Finish: "STOP"}, answer.Said)
}
