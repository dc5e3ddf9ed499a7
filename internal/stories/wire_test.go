package stories

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The model server of the tests: a loopback server that speaks the four wire
// protocols of models as their makers document them.
//
//	request ─► protocol.hear: its own words ─► heard (and what is wrong with it)
//	        ─► script(heard) ─► reply
//	        ─► protocol's voice: reply ─► events, each flushed by itself
//
// It is as strict as the real ones, and a little more: what they would refuse is
// an error of the test, and so is a history with a call that lacks its result.

// patience is how long a test waits for something that must happen. It is far
// beyond what anything takes: a loaded machine must not fail a test.
const patience = 45 * time.Second

// rightKey is the only key that the server takes.
const rightKey = "sk-loopback-0123456789"

// modelServer is one server with one script.
type modelServer struct {
	*httptest.Server
	script func(heard) reply

	mu       sync.Mutex
	heard    []heard
	problems []string
	issued   map[string][]call // calls that the scripts made, by id and by what they ask
	minted   int               // ids given out
	open     int               // connections
	changed  chan struct{}     // closed and replaced when any of this changes
	event    func()            // told of every request and of every event of an answer; nil is allowed
	speaking sync.Mutex        // one script call at a time, so that scripts may count

	closing chan struct{}
}

// exchange is one request under way.
type exchange struct {
	left  chan struct{} // closed when the client went away before the end
	ended chan struct{} // closed when the server is done with it
}

// listen starts a server that answers by script until the test ends. What it had
// to complain about fails the test then.
func listen(t testing.TB, script func(heard) reply) *modelServer {
	t.Helper()
	s := &modelServer{script: script, issued: map[string][]call{}, changed: make(chan struct{}), closing: make(chan struct{})}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.Config.ConnState = s.connection
	s.Start()
	t.Cleanup(func() {
		close(s.closing)
		s.CloseClientConnections()
		s.shut(t)
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, problem := range s.problems {
			t.Error("model server: " + problem)
		}
		if t.Failed() {
			t.Log("the model server heard:\n" + s.minutes())
		}
	})
	return s
}

// shut waits for what is still being answered, which a script that waits for what
// never comes would hold for ever.
func (s *modelServer) shut(t testing.TB) {
	closed := make(chan struct{})
	go func() {
		s.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(patience):
		t.Error("the model server is still answering")
	}
}

// serve answers one request.
func (s *modelServer) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away while it asked
	}
	if r.URL.Path == knocking || s.shelf(w, r) {
		return
	}
	i := slices.IndexFunc(protocols(), func(p protocol) bool { return p.path(r.URL.Path) })
	if i < 0 || r.Method != http.MethodPost {
		s.complain("nobody answers %s %s", r.Method, r.URL)
		http.NotFound(w, r)
		return
	}
	p := protocols()[i]
	if p.key(r) != rightKey {
		p.refuse(w, reply{status: p.badKey, message: "the key is wrong"})
		return
	}
	h, problems := p.hear(r, body)
	h.protocol, h.raw = p.name, body
	h.stream = &exchange{left: make(chan struct{}), ended: make(chan struct{})}
	problems = append(problems, unsound(h.messages)...)
	problems = append(problems, s.forged(p, h)...)
	s.listened(h, problems)
	s.passed()
	defer close(h.stream.ended)
	if len(problems) > 0 {
		p.refuse(w, reply{status: http.StatusBadRequest, message: strings.Join(problems, "; ")})
		return
	}
	answer := s.play(h)
	if answer.unexpected {
		s.complain("the script has no answer to %s", h)
		answer = reply{status: http.StatusBadRequest, message: "the script has no answer"}
	}
	if answer.status != 0 {
		p.refuse(w, answer)
		return
	}
	answer.calls = s.issue(p, answer.calls)
	s.speak(w, r, p, h, answer)
}

// play asks the script. One that breaks is a complaint, not the end of its turn.
func (s *modelServer) play(h heard) (answer reply) {
	s.speaking.Lock()
	defer s.speaking.Unlock()
	defer func() {
		if broken := recover(); broken != nil {
			s.complain("the script broke over %s: %v", h, broken)
			answer = reply{status: http.StatusBadRequest, message: "the script broke"}
		}
	}()
	return s.script(h)
}

// speak streams an answer, or as much of it as the client stays for.
func (s *modelServer) speak(w http.ResponseWriter, r *http.Request, p protocol, h heard, answer reply) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := &sse{w: w, newline: p.newline, sent: s.passed}
	v := p.voice(out, h)
	v.begin(answer.usage)
	if thinker, ok := v.(interface{ think(string) }); ok && answer.thought != "" {
		thinker.think(answer.thought)
	}
	for _, piece := range answer.text {
		v.say(piece)
	}
	if answer.hold != nil {
		select {
		case <-answer.hold:
		case <-s.closing:
			return
		case <-r.Context().Done():
			close(h.stream.left)
			s.touch()
			return
		}
	}
	for _, piece := range answer.rest {
		v.say(piece)
	}
	if answer.cut {
		panic(http.ErrAbortHandler) // the connection breaks
	}
	for _, c := range answer.calls {
		v.ask(c)
	}
	v.end(answer.stopped(), answer.usage)
}

func (s *modelServer) complain(format string, args ...any) {
	s.listened(heard{}, []string{fmt.Sprintf(format, args...)})
}

// listened keeps what was heard, and what was wrong with it.
func (s *modelServer) listened(h heard, problems []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.stream != nil {
		s.heard = append(s.heard, h)
	}
	for _, problem := range problems {
		s.problems = append(s.problems, fmt.Sprintf("%s: %s", h.protocol, problem))
	}
	s.wake()
}

// connection counts those who are there.
func (s *modelServer) connection(_ net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.open++
	case http.StateClosed, http.StateHijacked:
		s.open--
	case http.StateActive, http.StateIdle:
	}
	s.wake()
}

// alone waits until every client is gone, and all that it had still asked is heard.
func (s *modelServer) alone(t testing.TB) {
	t.Helper()
	s.knock(t)
	deadline := time.After(patience)
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

// knocking is the path of knock.
const knocking = "/knock"

// knock waits its turn behind those who are at the door: a client that was killed may
// have called just before, and is taken in after its death.
func (s *modelServer) knock(t testing.TB) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+knocking, http.NoBody)
	require.NoError(t, err)
	request.Close = true
	answer, err := s.Client().Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
}

// passed says that something was heard or said.
func (s *modelServer) passed() {
	s.mu.Lock()
	event := s.event
	s.mu.Unlock()
	if event != nil {
		event()
	}
}

// tell has every request, and every event of an answer, told.
func (s *modelServer) tell(event func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.event = event
}

// wake tells those who wait. The lock is held.
func (s *modelServer) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *modelServer) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake()
}

// all lists what was heard so far that matches.
func (s *modelServer) all(match func(heard) bool) []heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.heard), func(h heard) bool { return !match(h) })
}

// await waits for the first request that matches.
func (s *modelServer) await(t testing.TB, match func(heard) bool) heard {
	t.Helper()
	return s.awaitNth(t, 1, match)
}

// awaitNth waits for the n-th request that matches.
func (s *modelServer) awaitNth(t testing.TB, n int, match func(heard) bool) heard {
	t.Helper()
	deadline := time.After(patience)
	for {
		s.mu.Lock()
		changed, problems := s.changed, slices.Clone(s.problems)
		s.mu.Unlock()
		if found := s.all(match); len(found) >= n {
			return found[n-1]
		}
		require.Empty(t, problems, "the model server has complaints")
		select {
		case <-changed:
		case <-deadline:
			require.FailNow(t, "the model server waited in vain", "request %d of its kind never came; it heard:\n%s", n, s.minutesNow())
		}
	}
}

// awaitLeft waits until the client has closed the connection of a request that
// was still being answered.
func (s *modelServer) awaitLeft(t testing.TB, h heard) {
	t.Helper()
	select {
	case <-h.stream.left:
	case <-h.stream.ended:
		select {
		case <-h.stream.left:
		default:
			require.FailNow(t, "the answer went to its end", "the client should have gone away from %s", h)
		}
	case <-time.After(patience):
		require.FailNow(t, "the connection is still open", "%s", h)
	}
}

// requireOpen holds the first request that matches to be still under way.
func (s *modelServer) requireOpen(t testing.TB, match func(heard) bool) {
	t.Helper()
	h := s.await(t, match)
	select {
	case <-h.stream.left:
		require.FailNow(t, "the client has gone away", "%s", h)
	case <-h.stream.ended:
		require.FailNow(t, "the answer has ended", "%s", h)
	default:
	}
}

func (s *modelServer) minutesNow() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.minutes()
}

// minutes is all that was heard, in short. The lock is held.
func (s *modelServer) minutes() string {
	var b strings.Builder
	for i, h := range s.heard {
		fmt.Fprintf(&b, "%3d %s\n", i+1, h)
	}
	return b.String()
}
