package modeltest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// All lists what was heard so far that matches.
func (s *Server) All(match func(Request) bool) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.heard), func(h Request) bool { return !match(h) })
}

// Await waits for the first request that matches.
func (s *Server) Await(t testing.TB, match func(Request) bool) Request {
	t.Helper()
	return s.AwaitNth(t, 1, match)
}

// AwaitNth waits for the n-th request that matches.
func (s *Server) AwaitNth(t testing.TB, n int, match func(Request) bool) Request {
	t.Helper()
	deadline := time.After(Patience)
	for {
		s.mu.Lock()
		changed, problems := s.changed, slices.Clone(s.problems)
		s.mu.Unlock()
		if found := s.All(match); len(found) >= n {
			return found[n-1]
		}
		require.Empty(t, problems, "the model server has complaints")
		select {
		case <-changed:
		case <-deadline:
			require.FailNow(t, "the model server waited in vain", "request %d of its kind never came; it heard:\n%s", n, s.Heard())
		}
	}
}

// AwaitLeft waits until the client has closed the connection of a request that
// was still being answered.
func (s *Server) AwaitLeft(t testing.TB, h Request) {
	t.Helper()
	select {
	case <-h.Stream.Left:
	case <-h.Stream.Ended:
		select {
		case <-h.Stream.Left:
		default:
			require.FailNow(t, "the answer went to its end", "the client should have gone away from %s", h)
		}
	case <-time.After(Patience):
		require.FailNow(t, "the connection is still open", "%s", h)
	}
}

// RequireOpen holds the first request that matches to be still under way.
func (s *Server) RequireOpen(t testing.TB, match func(Request) bool) {
	t.Helper()
	h := s.Await(t, match)
	select {
	case <-h.Stream.Left:
		require.FailNow(t, "the client has gone away", "%s", h)
	case <-h.Stream.Ended:
		require.FailNow(t, "the answer has ended", "%s", h)
	default:
	}
}

// Heard is all that was asked so far, a line each, for a failing test.
func (s *Server) Heard() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests()
}

// requests is all that was heard, in short. The lock is held.
func (s *Server) requests() string {
	var b strings.Builder
	for i, h := range s.heard {
		fmt.Fprintf(&b, "%3d %s\n", i+1, h)
	}
	return b.String()
}

// AwaitAlone waits until every client is gone, and all that it had still asked is heard.
func (s *Server) AwaitAlone(t testing.TB) {
	t.Helper()
	s.barrier(t)
	deadline := time.After(Patience)
	for {
		s.mu.Lock()
		changed, open := s.changed, s.open
		s.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			require.FailNow(t, "a client stays", "%d connections", open)
		}
	}
}

// barrierPath is the path of barrier.
const barrierPath = "/barrier"

// barrier waits for the answer to a request of its own: connections from before it are
// accepted by then. A client that was killed may have opened one just before its death.
func (s *Server) barrier(t testing.TB) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+barrierPath, http.NoBody)
	require.NoError(t, err)
	request.Close = true
	answer, err := s.Client().Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
}
