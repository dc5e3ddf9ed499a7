package gemini

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "AIza-secret"

// recording reads a stream as the API's documentation shows it.
func recording(t *testing.T, name string) string {
	t.Helper()
	return wiretest.Recording(t, name+".sse")
}

// serve starts a server for one test and a provider that asks it.
func serve(t *testing.T, handler http.HandlerFunc) *Provider {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return New(Options{Key: key, BaseURL: server.URL, HTTPClient: server.Client()})
}

func hello() agent.Request {
	return agent.Request{Model: "gemini-2.5-pro", Messages: []agent.Message{agent.Say("Hello")}}
}
