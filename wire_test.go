package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
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
		s.Close()
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

// serve answers one request.
func (s *modelServer) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away while it asked
	}
	if s.shelf(w, r) {
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
	s.speaking.Lock()
	answer := s.script(h)
	s.speaking.Unlock()
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

// issue gives the calls of an answer their ids and signatures, and remembers them.
func (s *modelServer) issue(p protocol, calls []call) []call {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls = slices.Clone(calls)
	for i := range calls {
		c := &calls[i]
		s.minted++
		if c.id == "" && p.mint != "" {
			c.id = fmt.Sprintf("%s%06d", p.mint, s.minted)
		}
		if p.signs && i == 0 { // the first call of each step
			c.signature = fmt.Sprintf("c2lnbmF0dXJl%08d", s.minted)
		}
		for _, key := range []string{c.id, c.meaning()} {
			s.issued[key] = append(s.issued[key], *c)
		}
	}
	return calls
}

// forged lists the calls of a history that no script ever made, or that came back
// changed. Arguments that are no JSON cannot come back as they were.
func (s *modelServer) forged(p protocol, h heard) (problems []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range h.messages {
		for _, c := range m.calls {
			made := s.issued[c.id]
			if len(made) == 0 { // the id is the client's own
				made = s.issued[c.meaning()]
			}
			same := func(made call) bool {
				signed := !p.signs || made.signature == "" || made.signature == c.signature
				return signed && (made.meaning() == c.meaning() || !json.Valid([]byte(made.input)))
			}
			if !slices.ContainsFunc(made, same) {
				problems = append(problems, fmt.Sprintf("this call was never made, or not like this: %+v; made were %+v", c, made))
			}
		}
	}
	return problems
}

// unsound lists what breaks a history in any protocol: each call has exactly one
// result, directly after it and in order; nothing is empty; a person or a result
// has the last word.
func unsound(messages []said) (problems []string) {
	var open []call
	seen := map[string]bool{}
	for i, m := range messages {
		place := fmt.Sprintf("message %d (%s)", i, m.role)
		if m.role != "tool" && len(open) > 0 {
			problems = append(problems, place+" comes before the results of "+names(open))
			open = nil
		}
		if strings.TrimSpace(m.text) == "" && len(m.calls) == 0 && len(m.results) == 0 {
			problems = append(problems, place+" is empty")
		}
		for _, r := range m.results {
			switch {
			case len(open) == 0:
				problems = append(problems, place+" has a result without a call: "+r.call)
				continue
			case open[0].id != r.call:
				problems = append(problems, fmt.Sprintf("%s has the result of %q where that of %q belongs", place, r.call, open[0].id))
			}
			open = open[1:]
			if strings.TrimSpace(r.text) == "" {
				problems = append(problems, place+" has an empty result for "+r.call)
			}
		}
		if m.role == "tool" && len(open) > 0 {
			problems = append(problems, place+" lacks the results of "+names(open))
			open = nil
		}
		for _, c := range m.calls {
			if c.id == "" || seen[c.id] {
				problems = append(problems, fmt.Sprintf("%s has a call with the id %q, which is empty or was used before", place, c.id))
			}
			seen[c.id] = true
		}
		open = append(open, m.calls...)
	}
	if n := len(messages); n == 0 || messages[n-1].role == "assistant" {
		problems = append(problems, "the model has the last word: there is nothing to answer")
	}
	return problems
}

func names(calls []call) string {
	var list []string
	for _, c := range calls {
		list = append(list, c.name+" "+c.id)
	}
	return strings.Join(list, ", ")
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

// sse writes server-sent events. Each goes out in two pieces, so that no reader
// gets away with taking a packet for an event.
type sse struct {
	w       http.ResponseWriter
	newline string
	sent    func() // told of every event
}

// event writes one event; name may be empty.
func (s *sse) event(name string, data any) {
	var b bytes.Buffer
	if name != "" {
		b.WriteString("event: " + name + s.newline)
	}
	switch data := data.(type) {
	case string:
		b.WriteString("data: " + data)
	default:
		encoded, err := json.Marshal(data)
		if err != nil {
			panic(err) // only maps and strings come here
		}
		b.WriteString("data: ")
		b.Write(encoded)
	}
	b.WriteString(s.newline + s.newline)
	half := b.Len() / 2
	for _, piece := range [][]byte{b.Bytes()[:half], b.Bytes()[half:]} {
		_, _ = s.w.Write(piece) // a client that went away is noticed by its context
		s.w.(http.Flusher).Flush()
	}
	s.sent()
}

// object is a JSON object in the making.
type object map[string]any

// with is the object and more fields.
func (o object) with(more object) object {
	sum := maps.Clone(o)
	maps.Copy(sum, more)
	return sum
}
