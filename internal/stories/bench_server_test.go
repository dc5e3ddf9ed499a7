package stories

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
)

// benchServer is the model of the table: it speaks all four protocols from bytes that
// were made before the clock starts, so that its own work is the least there can be.
type benchServer struct {
	*httptest.Server
	protocol protocol

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
	spelt
	every time.Duration // between two events; 0: all at once
	held  bool          // only half is said until hold is closed; nil: never the rest
	hold  <-chan struct{}
}

// spelt is an answer in a protocol's bytes.
type spelt struct {
	bytes []byte
	cuts  []int // where its events end
}

// spell writes an answer as the protocol's voice speaks it.
func spell(p protocol, answer reply) spelt {
	var s spelt
	recorder := httptest.NewRecorder()
	out := &sse{w: recorder, newline: p.newline, sent: func() { s.cuts = append(s.cuts, recorder.Body.Len()) }}
	v := p.voice(out, heard{model: p.model, raw: []byte(`{"stream_options":{"include_usage":true}}`)})
	v.begin(answer.usage)
	for _, piece := range answer.text {
		v.say(piece)
	}
	issuer := modelServer{issued: map[string][]call{}}
	for _, c := range issuer.issue(p, answer.calls) {
		v.ask(c)
	}
	v.end(answer.stopped(), answer.usage)
	s.bytes = recorder.Body.Bytes()
	return s
}

// serveBench starts a server that answers in one protocol.
func serveBench(tb testing.TB, p protocol, answer func(benchAsked) benchAnswer) *benchServer {
	s := &benchServer{protocol: p, answer: answer, changed: make(chan struct{})}
	s.Server = httptest.NewServer(s)
	tb.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// environ is the environment of a Pawl that asks this server, with a home.
func (s *benchServer) environ(home string) []string {
	return append((&modelServer{Server: s.Server}).environ(),
		"PATH="+os.Getenv("PATH"), "HOME="+home, "PAWL_HOME="+home, "TERM=xterm-256color", "LANG=C.UTF-8", "COLORTERM=truecolor")
}

// open starts Pawl on a terminal, with this server as its model.
func (s *benchServer) open(tb testing.TB, home string, args ...string) *tube {
	tb.Helper()
	return openTube(tb, benchFolder(tb), s.environ(home), append([]string{"--model", s.protocol.model}, args...)...)
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
	if err != nil || !s.protocol.path(r.URL.Path) {
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

// await waits for the request of this number, from 0, of the parent or of children.
func (s *benchServer) await(tb testing.TB, parent bool, turn int) benchAsked {
	tb.Helper()
	deadline := time.After(patience)
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
	last := a.cuts[len(a.cuts)-1]
	if a.held {
		last = a.cuts[len(a.cuts)/2]
	}
	begun, done := time.Now(), 0
	for i, cut := range a.cuts {
		if a.every == 0 || cut > last {
			break
		}
		_, _ = w.Write(a.bytes[done:cut]) // who went away is seen by the context
		w.(http.Flusher).Flush()
		done = cut
		select {
		case <-time.After(time.Until(begun.Add(time.Duration(i+1) * a.every))):
		case <-r.Context().Done():
			return
		}
	}
	at := time.Now()
	_, _ = w.Write(a.bytes[done:max(done, last)])
	w.(http.Flusher).Flush()
	if a.held {
		select {
		case <-a.hold:
			at = time.Now()
			_, _ = w.Write(a.bytes[last:])
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			asked.left <- time.Now()
			return
		}
	}
	asked.said <- at
}
