package stories

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
	"pawl/lifecycle"
)

// asker makes the provider of a protocol, led to the loopback server.
func asker(t *testing.T, p protocol, s *modelServer, key string) agent.Provider {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	switch p.name {
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
	eachProtocol(t, func(t *testing.T, p protocol) {
		server := listen(t, func(h heard) reply {
			if h.answered("read") {
				return say("The file says ", "grüße, 世界.")
			}
			return do(use("read", object{"path": "ä \"quoted\" name.go"}), use("list", object{})).saying("Let me ", "look.")
		})
		provider := asker(t, p, server, rightKey)
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

		h := server.awaitNth(t, 2, func(heard) bool { return true })
		require.Equal(t, "loopback-1", h.model)
		require.Equal(t, "You are under test.", h.system)
		require.ElementsMatch(t, []string{"read", "list"}, h.tools)
		require.Equal(t, []string{"result of read"}, h.resultsOf("read"))
		require.Equal(t, []string{"result of list"}, h.resultsOf("list"))
		require.True(t, h.asked("and be brief"))
	})
}

// A client that stops a request closes its connection, so that the provider does
// not go on thinking at the user's expense.
func TestProviderHangsUpWhenStopped(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		server := listen(t, func(heard) reply { return say("thinking…").until(make(chan struct{})) })
		provider := asker(t, p, server, rightKey)
		ctx, stop := context.WithCancel(t.Context())
		_, err := provider.Stream(ctx, question("go"), func(d agent.Delta) {
			if d.Text != "" {
				stop()
			}
		})
		require.ErrorIs(t, err, context.Canceled)
		server.awaitLeft(t, server.await(t, func(heard) bool { return true }))
	})
}

// What went wrong at the server has the same name whoever the server is.
func TestProviderNamesFaultsAlike(t *testing.T) {
	cases := map[string]struct {
		key    string
		answer reply
		want   agent.ProviderError
	}{
		"wrong key":  {key: "sk-of-somebody-else", want: agent.ProviderError{Kind: lifecycle.FailAuth}},
		"rate limit": {answer: reply{status: 429, message: "slow down", retryAfter: "7"}, want: agent.ProviderError{Kind: lifecycle.FailRateLimited, RetryAfter: 7 * time.Second, Temporary: true}},
		"overload":   {answer: fault(503, "come back later"), want: agent.ProviderError{Kind: lifecycle.FailProvider, Temporary: true}},
		"cut stream": {answer: reply{text: []string{"I was say"}, cut: true}, want: agent.ProviderError{Kind: lifecycle.FailProvider, Temporary: true}},
	}
	eachProtocol(t, func(t *testing.T, p protocol) {
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				server := listen(t, func(heard) reply { return c.answer })
				key := rightKey
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
	eachProtocol(t, func(t *testing.T, p protocol) {
		for word, want := range reasons {
			server := listen(t, func(heard) reply { return reply{text: []string{"well"}, stop: word} })
			answer, err := asker(t, p, server, rightKey).Stream(t.Context(), question("go"), func(agent.Delta) {})
			require.NoError(t, err)
			require.Equal(t, want, answer.Stop)
		}
	})
}

// The server sees through a broken history; without that, no other test here
// would prove anything.
func TestModelServerRefusesBrokenHistories(t *testing.T) {
	asking := said{role: "assistant", calls: []call{{id: "a", name: "read", input: "{}"}, {id: "b", name: "list", input: "{}"}}}
	answer := func(ids ...string) said {
		m := said{role: "tool"}
		for _, id := range ids {
			m.results = append(m.results, result{call: id, text: "fine"})
		}
		return m
	}
	user := said{role: "user", text: "go"}
	require.Empty(t, unsound([]said{user, asking, answer("a", "b"), user}))
	for name, history := range map[string][]said{
		"no message":          {},
		"nothing to answer":   {user, {role: "assistant", text: "done"}},
		"a missing result":    {user, asking, answer("a")},
		"no result at all":    {user, asking, user},
		"results out of turn": {user, asking, answer("b", "a")},
		"one too many":        {user, asking, answer("a", "b", "b")},
		"a result of nothing": {user, answer("a")},
		"an empty result":     {user, asking, {role: "tool", results: []result{{call: "a", text: " "}, {call: "b", text: "x"}}}},
		"an empty message":    {user, {role: "assistant", text: " "}, user},
		"an id twice":         {user, asking, answer("a", "b"), asking, answer("a", "b")},
	} {
		require.NotEmpty(t, unsound(history), name)
	}
}
