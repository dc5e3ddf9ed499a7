package openai

import (
	"testing"

	"go.uber.org/goleak"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-test-0123456789abcdef"

// serve starts a server for one test and a provider that asks it.
func serve(t *testing.T, replies ...wiretest.Reply) (*Provider, *wiretest.Server) {
	t.Helper()
	s := wiretest.Serve(t, replies...)
	return New(Options{Key: key, BaseURL: s.URL + "/v1", HTTPClient: s.Client}), s
}

func hello() agent.Request {
	return agent.Request{Model: "gpt-5", System: "Be brief.", Messages: []agent.Message{agent.Say("Hello?")}}
}
