package modeltest

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
)

// Patience is how long a test waits for something that must happen. It is far
// beyond what anything takes: a loaded machine must not fail a test.
const Patience = 45 * time.Second

// Key is the only key that the server takes, unless Takes says otherwise.
const Key = "sk-loopback-0123456789"

// Server is one server with one script.
type Server struct {
	*httptest.Server
	script func(Request) Reply

	mu       sync.Mutex
	key      string   // the only one that it takes
	shown    []string // all that it was shown, whatever was asked
	heard    []Request
	problems []string
	issued   map[string][]Call // calls that the scripts made, by id and by what they ask
	idCount  int               // ids given out
	open     int               // connections
	changed  chan struct{}     // closed and replaced when any of this changes
	event    func()            // told of every request and of every event of an answer; nil is allowed
	speaking sync.Mutex        // one script call at a time, so that scripts may count

	closing chan struct{}
}

// Exchange is one request under way.
type Exchange struct {
	Left  chan struct{} // closed when the client went away before the end
	Ended chan struct{} // closed when the server is done with it
}

// Listen starts a server that answers by script until the test ends. What it had
// to complain about fails the test then.
func Listen(t testing.TB, script func(Request) Reply) *Server {
	t.Helper()
	s := &Server{script: script, key: Key, issued: map[string][]Call{}, changed: make(chan struct{}), closing: make(chan struct{})}
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
			t.Log("the model server heard:\n" + s.requests())
		}
	})
	return s
}

// Also has the server answer on another listener too, until the test ends, and gives its URL. Who
// asks there is told by Request.To.
func (s *Server) Also(t testing.TB, listener net.Listener) (url string) {
	t.Helper()
	var serving sync.WaitGroup
	serving.Go(func() { _ = s.Config.Serve(listener) }) // it ends with the listener
	t.Cleanup(func() {
		_ = listener.Close() // the server may have closed it
		serving.Wait()
	})
	return "http://" + listener.Addr().String()
}

// Takes makes this the only key that the server takes from now on.
func (s *Server) Takes(key string) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = key
	return s
}

// Keys are all keys that the server was shown, in their order, one for each request.
func (s *Server) Keys() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.shown)
}

func (s *Server) accepts(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown = append(s.shown, key)
	return key == s.key
}

// shut waits for what is still being answered, which a script that waits for what
// never comes would hold for ever.
func (s *Server) shut(t testing.TB) {
	closed := make(chan struct{})
	go func() {
		s.Close()
		close(closed)
	}()
	select {
	case <-closed:
	case <-time.After(Patience):
		t.Error("the model server is still answering")
	}
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away while it asked
	}
	if r.URL.Path == barrierPath || s.listModels(w, r) {
		return
	}
	i := slices.IndexFunc(Protocols(), func(p Protocol) bool { return p.Path(r.URL.Path) })
	if i < 0 || r.Method != http.MethodPost {
		s.complain("nobody answers %s %s", r.Method, r.URL)
		http.NotFound(w, r)
		return
	}
	p := Protocols()[i]
	if !s.accepts(p.key(r)) {
		p.refuse(w, Reply{Status: p.BadKey, Message: "the key is wrong"})
		return
	}
	h, problems := p.decode(r, body)
	h.Protocol, h.Raw, h.To, h.At = p.Name, body, r.Host, time.Now()
	h.From, _, _ = net.SplitHostPort(r.RemoteAddr) // the server's own words
	h.Stream = &Exchange{Left: make(chan struct{}), Ended: make(chan struct{})}
	problems = append(problems, checkHistory(h.Messages)...)
	problems = append(problems, s.unissued(p, h)...)
	s.listened(h, problems)
	s.passed()
	defer close(h.Stream.Ended)
	if len(problems) > 0 {
		p.refuse(w, Reply{Status: http.StatusBadRequest, Message: strings.Join(problems, "; ")})
		return
	}
	answer := s.play(h)
	if answer.unexpected {
		s.complain("the script has no answer to %s", h)
		answer = Reply{Status: http.StatusBadRequest, Message: "the script has no answer"}
	}
	if answer.Status != 0 {
		p.refuse(w, answer)
		return
	}
	answer.Calls = s.issue(p, answer.Calls)
	s.speak(w, r, p, h, answer)
}

// play asks the script. One that breaks is a complaint, not the end of its turn.
func (s *Server) play(h Request) (answer Reply) {
	s.speaking.Lock()
	defer s.speaking.Unlock()
	defer func() {
		if broken := recover(); broken != nil {
			s.complain("the script broke over %s: %v", h, broken)
			answer = Reply{Status: http.StatusBadRequest, Message: "the script broke"}
		}
	}()
	return s.script(h)
}

// speak streams an answer, or as much of it as the client stays for.
func (s *Server) speak(w http.ResponseWriter, r *http.Request, p Protocol, h Request, answer Reply) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := &sse{w: w, newline: p.newline, sent: s.passed}
	v := p.writer(out, h)
	v.begin(answer.Usage)
	if thinker, ok := v.(interface{ think(string) }); ok && answer.thought != "" {
		thinker.think(answer.thought)
	}
	if searcher, ok := v.(interface{ search(search) }); ok && answer.search != nil {
		searcher.search(*answer.search)
	}
	for _, piece := range answer.Text {
		v.say(piece)
	}
	if answer.Hold != nil {
		select {
		case <-answer.Hold:
		case <-s.closing:
			return
		case <-r.Context().Done():
			close(h.Stream.Left)
			s.touch()
			return
		}
	}
	for _, piece := range answer.rest {
		v.say(piece)
	}
	if answer.Cut {
		panic(http.ErrAbortHandler) // the connection breaks
	}
	for _, c := range answer.Calls {
		v.ask(c)
	}
	v.end(answer.stopped(), answer.Usage)
}

func (s *Server) complain(format string, args ...any) {
	s.listened(Request{}, []string{fmt.Sprintf(format, args...)})
}

// listened keeps what was heard, and what was wrong with it.
func (s *Server) listened(h Request, problems []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.Stream != nil {
		s.heard = append(s.heard, h)
	}
	for _, problem := range problems {
		s.problems = append(s.problems, fmt.Sprintf("%s: %s", h.Protocol, problem))
	}
	s.wake()
}

func (s *Server) connection(_ net.Conn, state http.ConnState) {
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

// passed says that something was heard or said.
func (s *Server) passed() {
	s.mu.Lock()
	event := s.event
	s.mu.Unlock()
	if event != nil {
		event()
	}
}

// OnEvent has every request, and every event of an answer, told.
func (s *Server) OnEvent(event func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.event = event
}

// wake tells those who wait. The lock is held.
func (s *Server) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Server) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake()
}
