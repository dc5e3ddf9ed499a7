package wiretest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Reply is a server's answer to one request.
type Reply struct {
	Status int // 0 is 200
	Header map[string]string
	Body   string
}

// Recording is a stream from testdata, as in the documentation of its API.
func Recording(t testing.TB, file string) string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	return string(data)
}

// Server answers each request with the next reply, and then repeats the last. It keeps the
// requests.
type Server struct {
	URL    string
	Client *http.Client

	t       testing.TB
	replies []Reply
	mu      sync.Mutex
	bodies  []string
	last    http.Request
}

// Serve starts a server for one test.
func Serve(t testing.TB, replies ...Reply) *Server {
	t.Helper()
	s := &Server{t: t, replies: replies}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.URL, s.Client = h.URL, h.Client()
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	next := s.replies[min(len(s.bodies), len(s.replies)-1)]
	s.bodies, s.last = append(s.bodies, string(body)), *r
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	for name, value := range next.Header {
		w.Header().Set(name, value)
	}
	if next.Status != 0 {
		w.WriteHeader(next.Status)
	}
	_, _ = io.WriteString(w, next.Body)
}

// Bodies are the bodies of the requests so far.
func (s *Server) Bodies() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.bodies...)
}

// Last is the newest request, without its body.
func (s *Server) Last() *http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &s.last
}

// Sent is the decoded body of the n-th request.
func (s *Server) Sent(n int) map[string]any {
	s.t.Helper()
	var fields map[string]any
	require.NoError(s.t, json.Unmarshal([]byte(s.Bodies()[n]), &fields))
	return fields
}

// Streams is a handler that answers with a stream. It stores the newest request and its
// body if into and sent are not nil.
func Streams(stream string, into *http.Request, sent *[]byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if into != nil {
			*into, *sent = *r, body
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, stream)
	}
}
