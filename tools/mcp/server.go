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

// server is one server: started, lost and restarted.
//
//	Starting ──► Ready ──► Down
//	   ▲  └────────────────► │
//	   └── the next call, or run, at most every 10 s
type server struct {
	spec  Spec
	house *Servers
	first chan struct{} // closed when the first start has ended

	mu      sync.Mutex
	state   State
	lost    *lost         // why state is Down
	conn    *connection   // when state is Ready
	offer   offer         // kept while Down: a call restarts the server
	missed  bool          // a run has started without its tools since it was last Ready
	began   time.Time     // time of the last start
	settled chan struct{} // closed when state is no longer Starting
	closing bool
}

func newServer(house *Servers, spec Spec) *server {
	settled := make(chan struct{})
	return &server{spec: spec, house: house, first: settled, state: Starting, settled: settled, began: time.Now()}
}

// start starts the server for the first time.
func (s *server) start() {
	settled := s.settled
	if !s.house.work(func() { s.attempt(settled) }) {
		close(settled)
	}
}

// tryAgain restarts a server that is down, unless its last start was too recent, and does not
// wait for it.
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

// attempt makes one start, up to the list of tools.
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

// keep makes a session current, unless the servers are being closed.
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
		conn, err = s.open(ctx, spec, "") // the newest version that the SDK knows
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

// relisting is the shortest time between two listings of changed tools, for servers that report
// changes all the time.
const relisting = time.Second

// attend keeps a session's tools up to date until it is over.
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
		return // the old list stays; the end of a session is noticed elsewhere
	}
	s.mu.Lock()
	s.offer = offered
	s.mu.Unlock()
	s.house.tell()
}

// gone notes the end of a session. One over HTTP is opened again: proxies cut streams while the
// server is still there.
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

// ready returns the session. It waits for a start in progress, and restarts a server that is
// down if that is allowed by now.
func (s *server) ready(ctx context.Context) (*connection, error) {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil && conn.ended() { // not noted yet
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

// why is never nil while the server is down. The caller holds the lock.
func (s *server) why() error {
	if s.lost == nil {
		return errors.New("it was not started")
	}
	return s.lost
}

// close ends the session, or the start in progress.
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

// miss notes that a run starts without this server's tools.
func (s *server) miss() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missed = s.state == Starting
}

// tools returns the tools of the last list.
func (s *server) tools() []agent.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []agent.Tool
	for _, o := range s.offer.tools {
		all = append(all, s.tool(o))
	}
	return all
}
