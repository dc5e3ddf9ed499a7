package mcp

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"pawl/agent"
	"pawl/tools/mcp/oauth"
	"pawl/tools/process"
)

// How long things may take.
const (
	startLimit          = 10 * time.Second // from a server's start until its tools are known
	unwatchedStartLimit = 30 * time.Second // the same when nobody watches: many first download something
	firstWait           = 5 * time.Second  // how long a run waits for servers that start for the first time
	restartPause        = 10 * time.Second // the shortest time between two starts of a server
)

// Options configure Servers.
type Options struct {
	Folder   string            // the folder in which programs run
	Launcher *process.Launcher // starts all processes
	HTTP     *http.Client      // for servers at an address; nil: the standard client
	Environ  []string          // what ${VAR} expands from
	Withheld []string          // variables that servers of a project do not get
	Version  string            // Pawl's version, for servers
	// Logins gives servers at an address their tokens; nil: nobody is logged in to any.
	Logins *oauth.Logins
	// StartLimit limits the start of servers without a limit of their own; 0 means 10 s, or 30 s
	// with Wait.
	StartLimit time.Duration
	// Wait makes the first run wait until each first start has ended: without a screen there is
	// no later run.
	Wait bool
	// Late is called once, with the servers that a run has waited 5 s for, and how long it may
	// wait in all; may be nil.
	Late func(names []string, longest time.Duration)
}

// Servers are the MCP servers of one process. Its methods may be called from any goroutine.
type Servers struct {
	options Options
	life    context.Context // context of sessions
	end     context.CancelFunc
	starts  context.Context // context of starts; ends first
	stop    context.CancelFunc
	pause   time.Duration // rest
	wait    time.Duration // firstWait

	mu      sync.Mutex
	all     []*server
	changed chan struct{} // closed and replaced at each change of a state
	late    sync.Once     // calls Options.Late
	ended   bool
	working sync.WaitGroup
}

// New returns Servers without any server. The caller must Close it.
func New(o Options) *Servers {
	if o.StartLimit == 0 {
		o.StartLimit = startLimit
		if o.Wait {
			o.StartLimit = unwatchedStartLimit
		}
	}
	life, end := context.WithCancel(context.Background())
	starts, stop := context.WithCancel(life)
	return &Servers{options: o, life: life, end: end, starts: starts, stop: stop, pause: restartPause, wait: firstWait, changed: make(chan struct{})}
}

// Start starts servers in parallel and does not wait for them. If a name is taken the earlier
// server keeps it.
func (s *Servers) Start(specs ...Spec) {
	s.mu.Lock()
	var added []*server
	for _, spec := range specs {
		taken := func(other *server) bool { return other.spec.Name == spec.Name }
		if !s.ended && !slices.ContainsFunc(s.all, taken) {
			one := newServer(s, spec)
			s.all, added = append(s.all, one), append(added, one)
		}
	}
	s.mu.Unlock()
	for _, one := range added {
		one.start()
	}
}

// Tools returns the tools of all servers, sorted by name. It waits at most 5 s for servers that
// start for the first time, or with Options.Wait as long as they may take; tools that come later
// are in the next call's result. It restarts servers that failed and does not wait for them.
func (s *Servers) Tools(ctx context.Context) []agent.Tool {
	s.await(ctx)
	var all []agent.Tool
	for _, one := range s.list() {
		one.tryAgain()
		all = append(all, one.tools()...)
	}
	slices.SortStableFunc(all, func(a, b agent.Tool) int { return strings.Compare(a.Spec.Name, b.Spec.Name) })
	return slices.CompactFunc(all, func(a, b agent.Tool) bool { return a.Spec.Name == b.Spec.Name })
}

// await waits for first starts, and notes the servers that the run starts without.
func (s *Servers) await(ctx context.Context) {
	first, enough := context.WithTimeout(ctx, s.wait)
	s.Settled(first)
	enough()
	slow := s.unsettled()
	if len(slow) == 0 || ctx.Err() != nil {
		return
	}
	if s.options.Wait {
		s.tellLate(slow)
		s.Settled(ctx)
		return
	}
	for _, one := range slow {
		one.miss()
	}
	s.tell()
}

func (s *Servers) tellLate(slow []*server) {
	if s.options.Late == nil {
		return
	}
	s.late.Do(func() {
		var names []string
		var longest time.Duration
		for _, one := range slow {
			names, longest = append(names, one.spec.Name), max(longest, one.startLimit())
		}
		s.options.Late(names, longest)
	})
}

// unsettled returns the servers whose first start is in progress.
func (s *Servers) unsettled() []*server {
	return slices.DeleteFunc(s.list(), func(one *server) bool {
		select {
		case <-one.first:
			return true
		default:
			return false
		}
	})
}

// Settled waits until each server has been started or has failed to, or ctx ends.
func (s *Servers) Settled(ctx context.Context) {
	for _, one := range s.list() {
		select {
		case <-one.first:
		case <-ctx.Done():
			return
		}
	}
}

// Specs returns the specifications of all servers, for another process.
func (s *Servers) Specs() []Spec {
	var all []Spec
	for _, one := range s.list() {
		all = append(all, one.spec)
	}
	return all
}

// Status returns the status of the servers, in the order they were started.
func (s *Servers) Status() []Status {
	var all []Status
	for _, one := range s.list() {
		all = append(all, one.status())
	}
	return all
}

// Watch calls fn with the status of the servers, now and after each change, until ctx ends.
// Changes while fn runs come with the next call.
func (s *Servers) Watch(ctx context.Context, fn func([]Status)) {
	for ctx.Err() == nil {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		fn(s.Status())
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// Close ends all servers in parallel and returns when nothing of them is left, after 3 s at
// most.
func (s *Servers) Close() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.stop()
	var ending sync.WaitGroup
	for _, one := range s.list() {
		ending.Go(one.close)
	}
	ending.Wait()
	s.end()
	s.working.Wait()
}

// work runs a function that Close waits for, and reports false if Close was called already.
func (s *Servers) work(do func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.working.Go(do)
	return true
}

func (s *Servers) list() []*server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

func (s *Servers) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}
