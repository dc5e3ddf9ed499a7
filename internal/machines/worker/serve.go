package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"

	"pawl/agent/remote"
	"pawl/internal/machines"
	"pawl/lifecycle"
)

// Options of a worker.
type Options struct {
	Link     *machines.Link
	Name     string // for people, such as the machine's name; unlike the ID it may stay the same
	Machine  string
	Version  string // of Pawl
	Protocol int    // remote.Protocol: it takes jobs of hosts that speak it
	Slots    int    // runs at once, at least 1
	Labels   []string
	// Accept are public keys of users whose jobs are taken, beside those of its own.
	Accept []string
	// Prepare makes the place where a run works. An error ends the run before it began, with that
	// line; it must have removed what it had made. It returns soon when ctx ends.
	Prepare func(ctx context.Context, run Run) (Workplace, error)
	// Load is the machine's; nil: unknown.
	Load func() float64
	// Say is told in one line what happens. It is called from any goroutine and must return soon.
	// Nil: nobody is told.
	Say func(string)
}

// Run is an attempt that this worker has been granted.
type Run struct {
	machines.Attempt
	Root       lifecycle.SessionID
	Idempotent bool
	Grant      json.RawMessage // what the host's dispatch.Order.Grant returned
}

// Workplace is where one run works. Its methods are called one after the other, each once: Start
// and Finish at most, and Remove always.
type Workplace interface {
	// Start starts the run's process with these ends of pipes as its standard input and output,
	// and returns when it and everything that it started are gone, at most Times.Kill after ctx
	// ends. An error means that it did not start or did not end.
	Start(ctx context.Context, in, out *os.File) (remote.Exit, error)
	// Finish returns what the run left, for dispatch.Placement.Result. It is not called if nobody
	// wants it any more. It returns soon when ctx ends.
	Finish(ctx context.Context) (json.RawMessage, error)
	// Remove removes the place.
	Remove()
}

// server is a worker that takes jobs.
type server struct {
	o     Options
	link  *machines.Link
	times machines.Times
	id    string
	since time.Time
	work  sync.WaitGroup

	mu     sync.Mutex
	busy   int           // slots taken
	freed  chan struct{} // closed when a slot becomes free
	runs   map[machines.Attempt]*run
	claims map[machines.Attempt]*machines.Delivery // being claimed
}

// Serve takes jobs and works at them until ctx ends; then it kills what still runs and tells the
// hosts that it is lost. An error is one line.
func Serve(ctx context.Context, o Options) error {
	switch {
	case o.Slots < 1:
		return errors.New("a worker needs at least one slot")
	case machines.CheckLabels(o.Labels) != nil:
		return machines.CheckLabels(o.Labels)
	}
	if err := o.Link.Accept(o.Accept); err != nil {
		return err
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return fmt.Errorf("make a name for the worker: %w", err)
	}
	s := &server{
		o: o, link: o.Link, times: o.Link.Times(), id: id.String(), since: time.Now(), freed: make(chan struct{}),
		runs: map[machines.Attempt]*run{}, claims: map[machines.Attempt]*machines.Delivery{},
	}
	return s.serve(ctx)
}

func (s *server) serve(ctx context.Context) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	unlisten, err := s.link.Serve(machines.ToWorker(s.id, "*"), s.handle)
	if err != nil {
		return err
	}
	defer unlisten()
	if s.link.TakesUnsigned() {
		s.say("takes jobs of everybody who can reach this NATS server: it has no credentials and was given no keys")
	}
	living, die := context.WithCancel(context.WithoutCancel(ctx)) // beats go on until the last run has ended
	var background sync.WaitGroup
	defer background.Wait()
	defer die()
	background.Go(func() { s.beatUntil(living) })
	background.Go(func() { s.keepUntil(living) })
	background.Go(func() { s.announceUntil(living) })
	for _, queue := range s.link.Queues(s.o.Protocol, s.o.Labels) {
		s.work.Go(func() {
			if err := s.pull(ctx, queue); err != nil {
				fail(err)
			}
		})
	}
	<-ctx.Done()
	for _, r := range s.all() {
		r.lose(stopped, 2*s.times.Ask)
	}
	s.work.Wait()
	_ = s.link.Leave(living, s.id) // else it is taken from the list soon
	return failure(ctx)
}

// stopped is why a worker that ends gives up its runs.
const stopped = "the worker was stopped"

// failure is why the worker cannot go on; nil if it was told to end.
func failure(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) && !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	return nil
}

func (s *server) say(line string) {
	if s.o.Say != nil {
		s.o.Say(line)
	}
}

// all are the runs of this worker.
func (s *server) all() (runs []*run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		runs = append(runs, r)
	}
	return runs
}

func (s *server) find(key machines.Attempt) (r *run, claiming bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, claiming = s.claims[key]
	return s.runs[key], claiming
}
