package anthropic

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
)

// refusing serves these refusals, one a request, and then an answer.
func refusing(t *testing.T, messages ...string) (*Provider, *wiretest.Server) {
	t.Helper()
	var replies []wiretest.Reply
	for _, message := range messages {
		replies = append(replies, wiretest.Reply{Status: http.StatusBadRequest, Body: apiError("invalid_request_error", message)})
	}
	server := wiretest.Serve(t, append(replies, wiretest.Reply{Body: recording(t, "text")})...)
	return New(Options{Key: "sk-ant-secret", BaseURL: server.URL, HTTPClient: server.Client}), server
}

func thoughtful(model string) agent.Request {
	req := hello()
	req.Model, req.Thinking = model, agent.Able
	return req
}

// A model whose server refuses it is asked to think once; others are asked still.
func TestRefusedThinkingIsNotAskedForAgain(t *testing.T) {
	for _, message := range []string{
		`"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`,
		"adaptive thinking is not supported on this model",
		"max_tokens must be greater than `thinking.budget_tokens`",
		"Unexpected value(s) `interleaved-thinking-2025-05-14` for the `anthropic-beta` header",
		"budget_tokens: Extra inputs are not permitted",
	} {
		p, server := refusing(t, message)
		for range 2 {
			answer, _, err := wiretest.Ask(t, p, thoughtful("claude-sonnet-4-5"))
			require.NoError(t, err)
			require.Equal(t, "Hello, Wörld 🌍!", answer.Message.Text())
		}
		_, _, err := wiretest.Ask(t, p, thoughtful("claude-opus-5-5"))
		require.NoError(t, err)
		require.Len(t, server.Bodies(), 4, message)
		require.Contains(t, server.Sent(0), "thinking")
		require.NotContains(t, server.Sent(1), "thinking")
		require.NotContains(t, server.Sent(2), "thinking")
		require.Contains(t, server.Sent(3), "thinking")
	}
}

// Thinking that the server takes for another conversation's is left out of that
// conversation from then on; what the model thinks later goes back.
func TestThinkingBoundElsewhereIsLeftOut(t *testing.T) {
	p, server := refusing(t, "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.")
	req := thoughtful("claude-opus-5-5")
	req.Messages = append(req.Messages, thinkingAnswer, results(result("toolu_01T1x1fJ34qAmk2tNTrN7Up6", "package a")))
	_, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Equal(t, thinkingAnswer, req.Messages[1], "the caller's history stays")
	req.Messages = append(req.Messages, said(thought(agent.Thinking{Signature: "later"}), agent.Part{Text: "c"}), agent.Say("d"))
	_, _, err = wiretest.Ask(t, p, req)
	require.NoError(t, err)

	bodies := server.Bodies()
	require.Len(t, bodies, 3)
	require.Contains(t, bodies[0], "EqQBCgIYAhIM1gbcDkFKSw==")
	for _, body := range bodies[1:] {
		require.NotContains(t, body, "EqQBCgIYAhIM1gbcDkFKSw==")
		require.NotContains(t, body, "redacted_thinking")
		require.Contains(t, body, "I will read it.")
		require.Contains(t, body, `"type":"adaptive"`)
	}
	require.Contains(t, bodies[2], `"signature":"later"`)
}

// A budget goes together with the thinking that its turn began with.
func TestWithoutItsThinkingATurnHasNoBudget(t *testing.T) {
	p, server := refusing(t, "messages.1.content.0: `thinking` blocks in the latest assistant message cannot be modified.")
	req := thoughtful("claude-sonnet-4-5")
	req.Messages = append(req.Messages, thinkingAnswer, results(result("toolu_01T1x1fJ34qAmk2tNTrN7Up6", "package a")))
	_, _, err := wiretest.Ask(t, p, req)
	require.NoError(t, err)
	require.Len(t, server.Bodies(), 2)
	require.Contains(t, server.Sent(0), "thinking")
	require.NotContains(t, server.Sent(1), "thinking")
}

// Each thing is learnt once. What has nothing to do with thinking, or cannot be done
// without, is an error at once.
func TestOtherRefusalsAreErrorsAtOnce(t *testing.T) {
	no := "adaptive thinking is not supported on this model"
	quiet := thoughtful("claude-sonnet-4-5")
	quiet.Thinking = agent.Unknown
	for name, test := range map[string]struct {
		req      agent.Request
		said     string
		requests int
	}{
		"roles":             {thoughtful("claude-sonnet-4-5"), "messages.1: roles must alternate", 1},
		"too long":          {thoughtful("claude-sonnet-4-5"), "prompt is too long, thinking included", 1},
		"nothing was asked": {quiet, no, 1},
		"it says so still":  {thoughtful("claude-sonnet-4-5"), no, 2},
	} {
		t.Run(name, func(t *testing.T) {
			p, server := refusing(t, test.said, test.said, test.said)
			_, _, err := wiretest.Ask(t, p, test.req)
			var failure *agent.ProviderError
			require.ErrorAs(t, err, &failure)
			require.Equal(t, "Anthropic: "+test.said, failure.Message)
			require.Len(t, server.Bodies(), test.requests)
		})
	}
}

// Runs that are refused side by side all get their answers.
func TestLessonsAreSharedByRunsSideBySide(t *testing.T) {
	stream := recording(t, "text")
	p := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), "thinking") {
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = io.WriteString(w, `{"detail":[{"loc":["body","thinking"],"msg":"Extra inputs are not permitted"}]}`)
			return
		}
		_, _ = io.WriteString(w, stream)
	})
	errs := make([]error, 8)
	var runs sync.WaitGroup
	for i := range errs {
		runs.Go(func() {
			_, errs[i] = p.Stream(t.Context(), thoughtful("claude-opus-5-5"), func(agent.Delta) {})
		})
	}
	runs.Wait()
	require.NoError(t, errors.Join(errs...))
}
