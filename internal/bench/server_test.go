package bench

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// benchServer is the model of the table: it speaks all four protocols from bytes that
// were made before the clock starts, so that its own work is the least there can be.
type benchServer struct {
	*httptest.Server
	protocol modeltest.Protocol

	mu      sync.Mutex
	answer  func(benchAsked) benchAnswer
	arrived []benchAsked // in the order in which they came
	changed chan struct{}
}

// benchAsked is a request: whose, and when its headers were there.
type benchAsked struct {
	parent bool
	turn   int // its number among those of its kind, from 0
	body   []byte
	at     time.Time
	said   chan time.Time // when the last bytes of its answer were about to be written
	left   chan time.Time // when the client was seen to be gone before that
}

// benchAnswer is what is said to it.
type benchAnswer struct {
	modeltest.Spelt
	every time.Duration // between two events; 0: all at once
	held  bool          // only half is said until hold is closed; nil: never the rest
	hold  <-chan struct{}
}

// serveBench starts a server that answers in one protocol.
func serveBench(tb testing.TB, p modeltest.Protocol, answer func(benchAsked) benchAnswer) *benchServer {
	s := &benchServer{protocol: p, answer: answer, changed: make(chan struct{})}
	s.Server = httptest.NewServer(s)
	tb.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// Environ is the environment of a Pawl that asks this server, with a home.
func (s *benchServer) environ(home string) []string {
	return append((&modeltest.Server{Server: s.Server}).Environ(),
		"PATH="+os.Getenv("PATH"), "HOME="+home, "PAWL_HOME="+home, "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor")
}

// Open starts Pawl on a terminal, with this server as its model.
func (s *benchServer) open(tb testing.TB, home string, args ...string) *tube {
	tb.Helper()
	return openTube(tb, benchFolder(tb), s.environ(home), append([]string{"--model", s.protocol.Model}, args...)...)
}

// benchFolder is a folder without anything in it, the same for all.
func benchFolder(tb testing.TB) string {
	folder := filepath.Join(os.TempDir(), "pawl-bench")
	require.NoError(tb, os.MkdirAll(folder, 0o700))
	tb.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

func (s *benchServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	asked := benchAsked{at: time.Now(), said: make(chan time.Time, 1), left: make(chan time.Time, 1)}
	body, err := io.ReadAll(r.Body)
	if err != nil || !s.protocol.Path(r.URL.Path) {
		http.NotFound(w, r)
		return
	}
	asked.body, asked.parent = body, bytes.Contains(body, []byte(`"name":"agent"`))
	s.mu.Lock()
	asked.turn = len(s.of(asked.parent))
	s.arrived = append(s.arrived, asked)
	close(s.changed)
	s.changed = make(chan struct{})
	answer := s.answer(asked)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	answer.speak(w, r, asked)
}

// of lists what either kind asked. The lock is held.
func (s *benchServer) of(parent bool) []benchAsked {
	return slices.DeleteFunc(slices.Clone(s.arrived), func(a benchAsked) bool { return a.parent != parent })
}

// Await waits for the request of this number, from 0, of the parent or of children.
func (s *benchServer) await(tb testing.TB, parent bool, turn int) benchAsked {
	tb.Helper()
	deadline := time.After(modeltest.Patience)
	for {
		s.mu.Lock()
		found, changed := s.of(parent), s.changed
		s.mu.Unlock()
		if len(found) > turn {
			return found[turn]
		}
		select {
		case <-changed:
		case <-deadline:
			require.FailNow(tb, "the request never came", "number %d, of the parent: %v", turn, parent)
		}
	}
}

func (a benchAnswer) speak(w http.ResponseWriter, r *http.Request, asked benchAsked) {
	last := a.Cuts[len(a.Cuts)-1]
	if a.held {
		last = a.Cuts[len(a.Cuts)/2]
	}
	begun, done := time.Now(), 0
	for i, cut := range a.Cuts {
		if a.every == 0 || cut > last {
			break
		}
		_, _ = w.Write(a.Bytes[done:cut]) // who went away is seen by the context
		w.(http.Flusher).Flush()
		if done = cut; cut == last {
			break // who has the end may leave
		}
		select {
		case <-time.After(time.Until(begun.Add(time.Duration(i+1) * a.every))):
		case <-r.Context().Done():
			return
		}
	}
	at := time.Now()
	_, _ = w.Write(a.Bytes[done:max(done, last)])
	w.(http.Flusher).Flush()
	if a.held {
		select {
		case <-a.hold:
			at = time.Now()
			_, _ = w.Write(a.Bytes[last:])
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			asked.left <- time.Now()
			return
		}
	}
	asked.said <- at
}
