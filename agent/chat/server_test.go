package chat

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"pawl/agent"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "sk-test-0123456789abcdef"

// reply is what the server answers to one request: a stream with status 200, or
// any body with another one.
type reply struct {
	status int
	header map[string]string
	body   string
}

func stream(t *testing.T, file string) reply {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	return reply{status: 200, body: string(data)}
}

// server answers each request with the next reply, and the last one again. It
// keeps what it was asked.
type server struct {
	t       *testing.T
	replies []reply
	mu      sync.Mutex
	bodies  []string
	header  http.Header
	path    string
}

func serve(t *testing.T, replies ...reply) (*Provider, *server) {
	t.Helper()
	s := &server{t: t, replies: replies}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return New(Options{Key: key, BaseURL: h.URL + "/v1", HTTPClient: h.Client()}), s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	next := s.replies[min(len(s.bodies), len(s.replies)-1)]
	s.bodies, s.header, s.path = append(s.bodies, string(body)), r.Header, r.URL.Path
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for name, value := range next.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(next.status)
	_, _ = io.WriteString(w, next.body)
}

// sent is the n-th request body.
func (s *server) sent(n int) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	var fields map[string]any
	require.NoError(s.t, json.Unmarshal([]byte(s.bodies[n]), &fields))
	return fields
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
