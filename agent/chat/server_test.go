package chat

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-test-0123456789abcdef"

func stream(t *testing.T, file string) wiretest.Reply {
	t.Helper()
	return wiretest.Reply{Body: wiretest.Recording(t, file)}
}

// serve starts a server for one test and a provider that asks it.
func serve(t *testing.T, replies ...wiretest.Reply) (*Provider, *wiretest.Server) {
	t.Helper()
	s := wiretest.Serve(t, replies...)
	return New(Options{Key: key, BaseURL: s.URL + "/v1", HTTPClient: s.Client}), s
}

// ask streams and joins the pieces by kind.
func ask(ctx context.Context, p *Provider, req agent.Request) (agent.Response, agent.Delta, []string, error) {
	var joined agent.Delta
	var calls []string
	res, err := p.Stream(ctx, req, func(d agent.Delta) {
		joined.Text += d.Text
		joined.Thinking += d.Thinking
		if d.Call != "" {
			calls = append(calls, d.Call)
		}
	})
	return res, joined, calls, err
}

func hello() agent.Request {
	return agent.Request{Model: "gpt-5", System: "Be brief.", Messages: []agent.Message{agent.Say("Hello?")}}
}

func parse(t *testing.T, text string) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return v
}
