package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"pawl/agent"
)

// server is one server: started, lost and started again.
//
//	Starting ──► Ready ──► Down
//	   ▲  └────────────────► │
//	   └── the next call, or run, at most every 10 s
type server struct {
	spec  Spec
	house *Servers
	first chan struct{} // closed when the first start has ended, either way

	mu      sync.Mutex
	state   State
	lost    *lost         // why it is Down
	conn    *connection   // of Ready
	offer   offer         // also while Down: a call starts it again
	missed  bool          // a run has begun without its tools since it last was Ready
	began   time.Time     // the last start
	settled chan struct{} // closed when state is not Starting any more
	closing bool
}

func newServer(house *Servers, spec Spec) *server {
	settled := make(chan struct{})
	return &server{spec: spec, house: house, first: settled, state: Starting, settled: settled, began: time.Now()}
}

// start is the first start.
func (s *server) start() {
	settled := s.settled
	if !s.house.work(func() { s.attempt(settled) }) {
		close(settled)
	}
}

// tryAgain starts a server that is down and has rested, and does not wait.
func (s *server) tryAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != Down || s.spec.Wrong != "" || s.closing || time.Since(s.began) < s.house.pause {
		return
	}
	settled := make(chan struct{})
	if s.house.work(func() { s.attempt(settled) }) {
		s.state, s.settled, s.began = Starting, settled, time.Now()
	}
}

// attempt is one start, from the specification to the list of tools.
func (s *server) attempt(settled chan struct{}) {
	s.house.tell()
	defer s.house.tell()
	defer close(settled)
	conn, offer, err := s.connect()
	if err == nil && !s.keep(conn, offer) {
		conn.close()
		err = errors.New("it came too late")
	}
	if err == nil {
		return
	}
	var why *lost
	if !errors.As(err, &why) {
		why = &lost{Why: line(err.Error(), lineLength), Err: err}
	}
	s.mu.Lock()
	s.state, s.lost = Down, why
	s.mu.Unlock()
}

// keep makes a session the server's, unless all is being closed.
func (s *server) keep(conn *connection, offer offer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || !s.house.work(func() { s.attend(conn) }) {
		return false
	}
	s.state, s.conn, s.offer, s.lost, s.missed = Ready, conn, offer, nil, false
	return true
}

// connect opens a session and reads the tools, within the limit of a start.
func (s *server) connect() (*connection, offer, error) {
	if s.spec.Wrong != "" {
		return nil, offer{}, errors.New(s.spec.Wrong)
	}
	o := s.house.options
	spec, err := s.spec.expanded(newVariables(o.Environ, o.Withheld))
	if err != nil {
		return nil, offer{}, err
	}
	late := fmt.Errorf("it did not answer within %v of its start", s.startLimit())
	ctx, cancel := context.WithTimeoutCause(s.house.starts, s.startLimit(), late)
	defer cancel()
	conn, err := s.open(ctx, spec, firstVersion)
	if err != nil && tooNew(err) {
		conn, err = s.open(ctx, spec, "") // the newest that the SDK knows
	}
	if err != nil {
		return nil, offer{}, err
	}
	offered, err := conn.list(ctx, s.spec.Name)
	if err == nil {
		return conn, offered, nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	conn.close()
	ended, said := conn.way.words()
	return nil, offer{}, &lost{Why: cmp.Or(ended, why(err)) + conn.way.heard.words(), Said: said, Err: err}
}

// startLimit is how long a start may take.
func (s *server) startLimit() time.Duration {
	return cmp.Or(s.spec.Start, s.house.options.StartLimit)
}

func (s *server) open(ctx context.Context, spec Spec, protocol string) (*connection, error) {
	w, err := s.house.options.reach(s.house.life, spec)
	if err != nil {
		return nil, err
	}
	return connect(ctx, w, s.house.options, protocol)
}

// relisting is the least time between two looks at tools that have changed: a
// server that says so all the time costs no more.
const relisting = time.Second

// attend keeps the tools of a session up to date until it is over.
func (s *server) attend(conn *connection) {
	var again <-chan time.Time
	stale := conn.stale
	for {
		select {
		case <-conn.over:
			s.gone(conn)
			return
		case <-again:
			again, stale = nil, conn.stale
		case <-stale:
			stale, again = nil, time.After(relisting)
			s.relist(conn)
		}
	}
}

func (s *server) relist(conn *connection) {
	ctx, cancel := context.WithTimeout(s.house.life, s.startLimit())
	defer cancel()
	offered, err := conn.list(ctx, s.spec.Name)
	if err != nil {
		return // the old ones stand; a session that has ended says so itself
	}
	s.mu.Lock()
	s.offer = offered
	s.mu.Unlock()
	s.house.tell()
}

// gone notes the end of a session. One over HTTP that stood for a while is opened
// anew: streams are cut by what stands between, and the server is still there.
func (s *server) gone(conn *connection) {
	s.mu.Lock()
	if s.conn == conn {
		s.state, s.conn, s.lost = Down, nil, conn.ending()
	}
	s.mu.Unlock()
	s.house.tell()
	if s.spec.URL != "" {
		s.tryAgain()
	}
}

// ready gives the session, waiting for a start under way and starting a server
// that is down, where it has rested.
func (s *server) ready(ctx context.Context) (*connection, error) {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil && conn.ended() { // and nobody has noticed yet
		s.gone(conn)
	}
	s.tryAgain()
	s.mu.Lock()
	settled := s.settled
	s.mu.Unlock()
	select {
	case <-settled:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		return s.conn, nil
	}
	wait := time.Until(s.began.Add(s.house.pause)).Round(time.Second)
	return nil, fmt.Errorf("the MCP server %s is down: %w. A call starts it again, in %v at the earliest", s.spec.Name, s.why(), max(wait, 0))
}

// why is never nil while it is down. The lock is held.
func (s *server) why() error {
	if s.lost == nil {
		return errors.New("it was not started")
	}
	return s.lost
}

// close ends the session, or the start under way.
func (s *server) close() {
	s.mu.Lock()
	s.closing = true
	conn := s.conn
	s.mu.Unlock()
	if conn != nil {
		conn.close()
	}
}

func (s *server) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := Status{Name: s.spec.Name, From: s.spec.From, State: s.state, Tools: len(s.offer.tools), Tasks: s.offer.tasks, Missed: s.missed}
	switch {
	case s.conn != nil:
		status.Said = s.conn.way.said()
		status.Noise, status.First = s.conn.way.heard.passed()
	case s.lost != nil:
		status.Why, status.Said = s.lost.Why, s.lost.Said
	}
	return status
}

// miss notes that a run begins without it.
func (s *server) miss() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missed = s.state == Starting
}

// tools are those of the last list.
func (s *server) tools() []agent.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []agent.Tool
	for _, o := range s.offer.tools {
		all = append(all, s.tool(o))
	}
	return all
}
