package anthropic

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// recording reads a stream as Anthropic's documentation shows it.
func recording(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name + ".sse")
	require.NoError(t, err)
	return string(b)
}

// serve starts a server for one test and a provider that asks it.
func serve(t *testing.T, handler http.HandlerFunc) *Provider {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return New(Options{Key: "sk-ant-secret", BaseURL: server.URL, HTTPClient: server.Client()})
}

// streams answers each request with this stream and keeps the newest request.
func streams(body string, into *http.Request, sent *[]byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if into != nil {
			*into, *sent = *r, b
		}
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}
}

// ask asks once and gives what was handed to on as well.
func ask(t *testing.T, p *Provider, req agent.Request) (agent.Response, []agent.Delta, error) {
	t.Helper()
	var pieces []agent.Delta
	answer, err := p.Stream(t.Context(), req, func(d agent.Delta) { pieces = append(pieces, d) })
	return answer, pieces, err
}

func hello() agent.Request {
	return agent.Request{Model: "claude-sonnet-4-5", Messages: []agent.Message{agent.Say("Hello")}}
}
