package gemini

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"pawl/agent"
	"pawl/agent/wire/wiretest"
)

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
	return New(Options{Key: "AIza-secret", BaseURL: server.URL, HTTPClient: server.Client()})
}

// ask asks once and gives what was handed to on as well.
func ask(t *testing.T, p *Provider, req agent.Request) (agent.Response, []agent.Delta, error) {
	t.Helper()
	var pieces []agent.Delta
	answer, err := p.Stream(t.Context(), req, func(d agent.Delta) { pieces = append(pieces, d) })
	return answer, pieces, err
}

func hello() agent.Request {
	return agent.Request{Model: "gemini-2.5-pro", Messages: []agent.Message{agent.Say("Hello")}}
}
