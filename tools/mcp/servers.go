package mcp

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"pawl/agent"
	"pawl/tools/process"
)

// How long things may take.
const (
	startLimit = 10 * time.Second // from a server's start until its tools are known
	patiently  = 30 * time.Second // the same where nobody watches: the first start of many fetches them
	firstWait  = 5 * time.Second  // a run waits for servers that start for the first time
	rest       = 10 * time.Second // at least, from one start of a server to the next
)

// Options are the world of servers.
type Options struct {
	Folder   string            // where programs run
	Launcher *process.Launcher // the one door to processes
	HTTP     *http.Client      // for servers at an address; nil: the standard one
	Environ  []string          // what ${VAR} is read from
	Withheld []string          // variables that no server of a project is given
	Version  string            // of Pawl, as servers are told
	// StartLimit is of servers that have none of their own; 0 is 10 s, or 30 s where
	// runs wait.
	StartLimit time.Duration
	// Wait has the first run wait for each first start to end, either way: where there
	// is no screen there is no later run.
	Wait bool
	// Late is told once which servers a run has waited 5 s for, and how long it goes on
	// to; nil is allowed.
	Late func(names []string, longest time.Duration)
}

// Servers are the servers of one process. Its methods may be called from any
// goroutine.
type Servers struct {
	options Options
	life    context.Context // of sessions
	end     context.CancelFunc
	starts  context.Context // of what leads to them; ends first
	stop    context.CancelFunc
	pause   time.Duration // rest
	wait    time.Duration // firstWait

	mu      sync.Mutex
	all     []*server
	changed chan struct{} // closed and replaced with each change of a state
	late    sync.Once     // Late is told once
	ended   bool
	working sync.WaitGroup
}

// New makes a house without servers. Close it.
func New(o Options) *Servers {
	if o.StartLimit == 0 {
		o.StartLimit = startLimit
		if o.Wait {
			o.StartLimit = patiently
		}
	}
	life, end := context.WithCancel(context.Background())
	starts, stop := context.WithCancel(life)
	return &Servers{options: o, life: life, end: end, starts: starts, stop: stop, pause: rest, wait: firstWait, changed: make(chan struct{})}
}

// Start starts servers, side by side, and does not wait for them. A name that is
// taken stays with the one who has it.
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

// Tools are those that the servers offer, by name. It waits at most 5 s for
// servers that start for the first time, with Options.Wait as long as these may take;
// what comes later is there at the next call. A server that could not be started is
// tried again, and not waited for.
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

// await waits for first starts, and notes which servers the run goes on without.
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

// tellLate tells Options.Late, once.
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

// unsettled are the servers whose first start is under way.
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

// Specs are the specifications of all that were started, for another process.
func (s *Servers) Specs() []Spec {
	var all []Spec
	for _, one := range s.list() {
		all = append(all, one.spec)
	}
	return all
}

// Status says how the servers are, in the order in which they were started.
func (s *Servers) Status() []Status {
	var all []Status
	for _, one := range s.list() {
		all = append(all, one.status())
	}
	return all
}

// Watch calls fn with how the servers are, now and after each change, until ctx
// ends. What changes while fn runs is told with the next call.
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

// Close ends all servers, side by side, and returns when nothing of them is left,
// 3 s from now at the latest.
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

// work runs something that Close waits for; not once it is closing.
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

// tell wakes those who watch.
func (s *Servers) tell() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}
