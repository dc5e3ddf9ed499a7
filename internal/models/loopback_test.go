package models

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/anthropic"
	"pawl/agent/chat"
	"pawl/agent/gemini"
	"pawl/agent/openai"
	"pawl/internal/modeltest"
	"pawl/lifecycle"
)

// asker makes the provider of a protocol, led to the loopback server.
func asker(t *testing.T, p modeltest.Protocol, s *modeltest.Server, key string) agent.Provider {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	switch p.Name {
	case "anthropic":
		return anthropic.New(anthropic.Options{Key: key, BaseURL: s.URL, HTTPClient: client})
	case "openai":
		return openai.New(openai.Options{Key: key, BaseURL: s.URL + "/v1", HTTPClient: client})
	case "openai-chat":
		return chat.New(chat.Options{Key: key, BaseURL: s.URL + "/v1", HTTPClient: client})
	}
	return gemini.New(gemini.Options{Key: key, BaseURL: s.URL, HTTPClient: client})
}

func question(text string, more ...agent.Message) agent.Request {
	path := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)
	return agent.Request{
		Model: "loopback-1", System: "You are under test.",
		Messages: append([]agent.Message{agent.Say(text)}, more...),
		Tools: []agent.ToolSpec{
			{Name: "read", Description: "reads", Schema: path},
			{Name: "list", Description: "lists", Schema: json.RawMessage(`{"type":"object","properties":{}}`)},
		},
	}
}

// An answer of text and two calls comes through whole, and goes back with its
// results in a way that the server takes.
func TestProviderCarriesTextAndParallelCallsBothWays(t *testing.T) {
	modeltest.EachProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		server := modeltest.Listen(t, func(h modeltest.Request) modeltest.Reply {
			if h.Answered("read") {
				return modeltest.Say("The file says ", "grüße, 世界.")
			}
			return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "ä \"quoted\" name.go"}), modeltest.Use("list", modeltest.Object{})).Saying("Let me ", "look.")
		})
		provider := asker(t, p, server, modeltest.Key)
		var pieces string
		on := func(d agent.Delta) { pieces += d.Text }

		first, err := provider.Stream(t.Context(), question("what is there?"), on)
		require.NoError(t, err)
		require.Equal(t, "Let me look.", pieces)
		require.Equal(t, "Let me look.", first.Message.Text())
		require.Equal(t, agent.StopToolCalls, first.Stop)
		require.Equal(t, lifecycle.Usage{InputTokens: 1300, CachedTokens: 300, OutputTokens: 21}, first.Usage)
		calls := first.Message.Calls()
		require.Len(t, calls, 2)
		require.Equal(t, "read", calls[0].Name)
		require.JSONEq(t, `{"path":"ä \"quoted\" name.go"}`, string(calls[0].Input))
		require.Equal(t, "list", calls[1].Name)
		require.JSONEq(t, `{}`, string(calls[1].Input))

		var results agent.Message
		results.Role = agent.RoleTool
		for _, c := range calls {
			results.Parts = append(results.Parts, agent.Part{Result: &agent.CallResult{Call: c.ID, Name: c.Name, Text: "result of " + c.Name, IsError: c.Name == "list"}})
		}
		pieces = ""
		second, err := provider.Stream(t.Context(), question("what is there?", first.Message, results, agent.Say("and be brief")), on)
		require.NoError(t, err)
		require.Equal(t, "The file says grüße, 世界.", pieces)
		require.Equal(t, agent.StopEnd, second.Stop)

		h := server.AwaitNth(t, 2, func(modeltest.Request) bool { return true })
		require.Equal(t, "loopback-1", h.Model)
		require.Equal(t, "You are under test.", h.System)
		require.ElementsMatch(t, []string{"read", "list"}, h.Tools)
		require.Equal(t, []string{"result of read"}, h.ResultsOf("read"))
		require.Equal(t, []string{"result of list"}, h.ResultsOf("list"))
		require.True(t, h.Asked("and be brief"))
	})
}

// A client that stops a request closes its connection, so that the provider does
// not go on thinking at the user's expense.
func TestProviderHangsUpWhenStopped(t *testing.T) {
	modeltest.EachProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		server := modeltest.Listen(t, func(modeltest.Request) modeltest.Reply {
			return modeltest.Say("thinking…").Until(make(chan struct{}))
		})
		provider := asker(t, p, server, modeltest.Key)
		ctx, stop := context.WithCancel(t.Context())
		_, err := provider.Stream(ctx, question("go"), func(d agent.Delta) {
			if d.Text != "" {
				stop()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		server.AwaitLeft(t, server.Await(t, func(modeltest.Request) bool { return true }))
	})
}

// What went wrong at the server has the same name whoever the server is.
func TestProviderNamesFaultsAlike(t *testing.T) {
	cases := map[string]struct {
		key    string
		answer modeltest.Reply
		want   agent.ProviderError
	}{
		"wrong key":  {key: "sk-of-somebody-else", want: agent.ProviderError{Kind: lifecycle.FailAuth}},
		"rate limit": {answer: modeltest.Reply{Status: 429, Message: "slow down", RetryAfter: "7"}, want: agent.ProviderError{Kind: lifecycle.FailRateLimited, RetryAfter: 7 * time.Second, Temporary: true}},
		"overload":   {answer: modeltest.Fault(503, "come back later"), want: agent.ProviderError{Kind: lifecycle.FailProvider, Temporary: true}},
		"cut stream": {answer: modeltest.Reply{Text: []string{"I was say"}, Cut: true}, want: agent.ProviderError{Kind: lifecycle.FailProvider, Temporary: true}},
	}
	modeltest.EachProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				server := modeltest.Listen(t, func(modeltest.Request) modeltest.Reply { return c.answer })
				key := modeltest.Key
				if c.key != "" {
					key = c.key
				}
				_, err := asker(t, p, server, key).Stream(t.Context(), question("go"), func(agent.Delta) {})
				var failed *agent.ProviderError
				require.ErrorAs(t, err, &failed)
				require.Equal(t, c.want, agent.ProviderError{Kind: failed.Kind, RetryAfter: failed.RetryAfter, Temporary: failed.Temporary}, failed.Message)
				require.NotContains(t, failed.Message, key)
				require.NotContains(t, failed.Message, "\n")
			})
		}
	})
}

// Every way of stopping keeps its meaning.
func TestProviderKeepsTheStopReason(t *testing.T) {
	reasons := map[string]agent.StopReason{"end": agent.StopEnd, "length": agent.StopLength, "refused": agent.StopRefused, "strange": agent.StopUnknown}
	modeltest.EachProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		for word, want := range reasons {
			server := modeltest.Listen(t, func(modeltest.Request) modeltest.Reply { return modeltest.Reply{Text: []string{"well"}, Stop: word} })
			answer, err := asker(t, p, server, modeltest.Key).Stream(t.Context(), question("go"), func(agent.Delta) {})
			require.NoError(t, err)
			require.Equal(t, want, answer.Stop)
		}
	})
}
