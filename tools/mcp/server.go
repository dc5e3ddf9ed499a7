package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"pawl/agent"
	"pawl/tools/mcp/oauth"
)

// server is one server: started, lost and restarted.
//
//	Starting ──► Ready ──► Down
//	   ▲  └────────────────► │
//	   └── the next call, or run, at most every 10 s
type server struct {
	spec    Spec
	servers *Servers
	first   chan struct{} // closed when the first start has ended

	mu      sync.Mutex
	state   State
	reason  *downReason   // why state is Down
	conn    *connection   // when state is Ready
	offer   offer         // kept while Down: a call restarts the server
	login   *oauth.Needed // why the last call of conn was refused; nil: it was not
	missed  bool          // a run has started without its tools since it was last Ready
	began   time.Time     // time of the last start
	started chan struct{} // closed when state is no longer Starting
	closing bool
}

func newServer(servers *Servers, spec Spec) *server {
	started := make(chan struct{})
	return &server{spec: spec, servers: servers, first: started, state: Starting, started: started, began: time.Now()}
}

func (s *server) start() {
	started := s.started
	if !s.servers.work(func() { s.attempt(started) }) {
		close(started)
	}
}

// tryAgain restarts a server that is down, unless its last start was too recent, and does not
// wait for it.
func (s *server) tryAgain() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state != Down || s.spec.Wrong != "" || s.closing || time.Since(s.began) < s.servers.pause {
		return
	}
	started := make(chan struct{})
	if s.servers.work(func() { s.attempt(started) }) {
		s.state, s.started, s.began = Starting, started, time.Now()
	}
}

// attempt makes one start, up to the list of tools.
func (s *server) attempt(started chan struct{}) {
	s.servers.tell()
	defer s.servers.tell()
	defer close(started)
	conn, offer, err := s.connect()
	if err == nil && !s.keep(conn, offer) {
		conn.close()
		err = errors.New("it came too late")
	}
	if err == nil {
		return
	}
	why, is := errors.AsType[*downReason](err)
	if !is {
		why = &downReason{Why: line(err.Error(), lineLength), Err: err}
	}
	s.mu.Lock()
	s.state, s.reason = Down, why
	s.mu.Unlock()
}

// keep makes a session current, unless the servers are being closed.
func (s *server) keep(conn *connection, offer offer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || !s.servers.work(func() { s.maintain(conn) }) {
		return false
	}
	s.state, s.conn, s.offer, s.reason, s.login, s.missed = Ready, conn, offer, nil, nil, false
	return true
}

// connect opens a session and reads the tools, within the limit of a start.
func (s *server) connect() (*connection, offer, error) {
	if s.spec.Wrong != "" {
		return nil, offer{}, errors.New(s.spec.Wrong)
	}
	o := s.servers.options
	spec, err := s.spec.expanded(newEnvironment(o.Environ, o.Withheld))
	if err != nil {
		return nil, offer{}, err
	}
	late := fmt.Errorf("it did not answer within %v of its start", s.startLimit())
	ctx, cancel := context.WithTimeoutCause(s.servers.starts, s.startLimit(), late)
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
		offered.extra = conn.extra(ctx, s.spec.Name)
		return conn, offered, nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	conn.close()
	ended, said := conn.link.words()
	return nil, offer{}, &downReason{Why: cmp.Or(ended, why(err)) + conn.link.observer.words(), Said: said, Err: err}
}

func (s *server) startLimit() time.Duration {
	return cmp.Or(s.spec.Start, s.servers.options.StartLimit)
}

func (s *server) open(ctx context.Context, spec Spec, protocol string) (*connection, error) {
	w, err := s.servers.options.reach(s.servers.life, spec)
	if err != nil {
		return nil, err
	}
	return connect(ctx, w, s.servers.options, protocol)
}

// relistPause is the shortest time between two listings of changed tools, for servers that report
// changes all the time.
const relistPause = time.Second

// maintain keeps a session's tools up to date until it is over.
func (s *server) maintain(conn *connection) {
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
			stale, again = nil, time.After(relistPause)
			s.relist(conn)
		}
	}
}

func (s *server) relist(conn *connection) {
	ctx, cancel := context.WithTimeout(s.servers.life, s.startLimit())
	defer cancel()
	offered, err := conn.list(ctx, s.spec.Name)
	if err != nil {
		return // the old list stays; the end of a session is noticed elsewhere
	}
	offered.extra = conn.extra(ctx, s.spec.Name)
	s.mu.Lock()
	s.offer = offered
	s.mu.Unlock()
	s.servers.tell()
}

// gone notes the end of a session. One over HTTP is opened again: proxies cut streams while the
// server is still there.
func (s *server) gone(conn *connection) {
	s.mu.Lock()
	if s.conn == conn {
		s.state, s.conn, s.reason = Down, nil, conn.ending()
	}
	s.mu.Unlock()
	s.servers.tell()
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
	started := s.started
	s.mu.Unlock()
	select {
	case <-started:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		return s.conn, nil
	}
	wait := time.Until(s.began.Add(s.servers.pause)).Round(time.Second)
	return nil, fmt.Errorf("the MCP server %s is down: %w. A call starts it again, in %v at the earliest", s.spec.Name, s.why(), max(wait, 0))
}

// why is never nil while the server is down. The caller holds the lock.
func (s *server) why() error {
	if s.reason == nil {
		return errors.New("it was not started")
	}
	return s.reason
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
	status.Prompts, status.Resources = len(s.offer.extra.prompts), len(s.offer.extra.resources)
	switch {
	case s.conn != nil:
		status.Said = s.conn.link.said()
		status.Noise, status.First = s.conn.link.observer.skipped()
		if s.login != nil {
			status.Why, status.Login = s.login.Error(), s.login.Do()
		}
	case s.reason != nil:
		status.Why, status.Said = s.reason.Why, s.reason.Said
		if login, is := errors.AsType[*oauth.Needed](s.reason); is {
			status.Login = login.Do()
		}
	}
	return status
}

// miss notes that a run starts without this server's tools.
func (s *server) miss() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missed = s.state == Starting
}

func (s *server) tools() []agent.Tool {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []agent.Tool
	for _, o := range s.offer.tools {
		all = append(all, s.tool(o))
	}
	return all
}

// judge notes whether the last call was refused for want of a login. The session stays: it is used
// again as soon as somebody has logged in.
func (s *server) judge(err error) {
	var login *oauth.Needed
	_ = errors.As(err, &login)
	s.mu.Lock()
	changed := s.login != login
	s.login = login
	s.mu.Unlock()
	if changed {
		s.servers.tell()
	}
}
