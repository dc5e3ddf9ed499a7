package remoterun

import (
	"context"
	"fmt"
	"sync"
	"time"

	"pawl/agent/remote"
	"pawl/internal/checkout"
	"pawl/internal/machines"
	"pawl/internal/machines/dispatch"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/filestore"
)

// Options are what remote runs need of the session that they belong to.
type Options struct {
	Root  lifecycle.SessionID
	Link  machines.Options // how the server is reached
	Lends bool             // keys are lent, which takes TLS on both sides
	// Workers is a file of keys for machines.ReadKeys: whose workers may have runs beside those of the
	// user of Link; empty: nobody's.
	Workers string
	Trees   *worktree.Trees
	Files   *filestore.Store // of the session
	// Host is all of a run's remote.Host but for what this package gives it: Start and Resume.
	Host func(ctx context.Context, port *lifecycle.Port) (remote.Host, error)
	// Over is dispatch.Options.Over for attempts that are not under way here.
	Over func(run lifecycle.RunID, attempt int) bool
}

// Runs drives the remote runs of one root session. It connects with the server once, for the first
// of them. Close it after the supervisor. Its methods may be called from any goroutine.
type Runs struct {
	Options
	turn   chan struct{} // a semaphore of one: who holds its value connects or closes
	server *server       // nil: none is connected
	closed bool
	failed error     // of the newest try to connect, if that failed
	tried  time.Time // when it did

	mu       sync.Mutex
	underWay map[lifecycle.RunID]int // the attempts that Work is at, by run

	life       context.Context // until Close
	end        context.CancelFunc
	reaching   sync.Once
	background sync.WaitGroup
}

// server is what is there while there is a connection.
type server struct {
	link       *machines.Link
	dispatcher *dispatch.Dispatcher
	home       *checkout.Home
}

// New makes the remote runs of a session. Nothing is connected yet.
func New(o Options) *Runs {
	r := &Runs{Options: o, turn: make(chan struct{}, 1), underWay: map[lifecycle.RunID]int{}}
	r.life, r.end = context.WithCancel(context.Background())
	return r
}

// tryEvery is the pause between two tries to connect, however many runs need the connection.
const tryEvery = time.Second

// connected returns the connection, and makes it if there is none yet.
func (r *Runs) connected(ctx context.Context) (*server, error) {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	switch {
	case r.closed:
		return nil, lifecycle.ErrClosing
	case r.server != nil:
		return r.server, nil
	case r.failed != nil && time.Since(r.tried) < tryEvery:
		return nil, r.failed
	}
	var err error
	r.server, err = r.connect(ctx)
	if ctx.Err() == nil { // else it is no fault of the server's
		r.failed, r.tried = err, time.Now()
	}
	return r.server, err
}

func (r *Runs) connect(ctx context.Context) (*server, error) {
	link, err := machines.Dial(ctx, r.Link)
	if err != nil {
		return nil, err
	}
	s := &server{link: link}
	if r.Workers != "" {
		keys, err := machines.ReadKeys(r.Workers)
		if err == nil {
			err = link.Accept(keys)
		}
		if err != nil {
			s.close()
			return nil, fmt.Errorf("read workers of [remote]: %w", err)
		}
	}
	buckets := make([]*machines.Objects, 2)
	for i, name := range []string{machines.Checkouts, machines.Results} {
		if buckets[i], err = link.Objects(ctx, name); err != nil {
			s.close()
			return nil, err
		}
	}
	s.home = checkout.NewHome(buckets[0], buckets[1], r.Trees, r.Files)
	s.dispatcher, err = dispatch.New(link, r.Root, dispatch.Options{Protocol: remote.Protocol, Over: r.over})
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *server) close() {
	if s.dispatcher != nil {
		s.dispatcher.Close()
	}
	s.link.Close()
}

// over implements dispatch.Options.Over.
func (r *Runs) over(run lifecycle.RunID, attempt int) bool {
	r.mu.Lock()
	at, known := r.underWay[run]
	r.mu.Unlock()
	if known {
		return attempt < at
	}
	return r.Over != nil && r.Over(run, attempt)
}

// begin notes which attempt at a run is under way; 0: none is any more.
func (r *Runs) begin(run lifecycle.RunID, attempt int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if attempt == 0 {
		delete(r.underWay, run)
		return
	}
	r.underWay[run] = attempt
}

// Wait is the work at a run that an earlier process has left elsewhere, where there is no server to reach
// it by: it shows why, and lasts until ctx ends.
func (r *Runs) Wait(ctx context.Context, port *lifecycle.Port, why string) lifecycle.Outcome {
	say(port, why)
	<-ctx.Done()
	return r.Unheard(ctx, port, lifecycle.Outcome{Err: context.Cause(ctx)})
}

// Unheard is the end of a run before anything was heard of it. One that an earlier process of Pawl has
// left at work elsewhere is at work there still: its worker is told to end it as soon as it can be
// reached, which is tried until Close.
func (r *Runs) Unheard(ctx context.Context, port *lifecycle.Port, out lifecycle.Outcome) lifecycle.Outcome {
	if !port.Kept() || isLeft(ctx) {
		return out
	}
	if r.Link.URL != "" {
		r.reaching.Do(func() { r.background.Go(r.reach) })
	}
	if machine := port.Run().Machine(); machine != "" {
		warn(port, fmt.Sprintf("what it changed on %s did not come home: the run ended before that machine could be reached; it is told to end it as soon as it can be", machine))
	}
	return out
}

// reach connects with the server, however long that is away.
func (r *Runs) reach() {
	for {
		if _, err := r.connected(r.life); err == nil || !machines.Passing(err) {
			return
		}
		select {
		case <-time.After(tryEvery):
		case <-r.life.Done():
			return
		}
	}
}

// Close closes the connection. Runs that are still at work elsewhere stay as they are.
func (r *Runs) Close() {
	r.end()
	r.background.Wait()
	r.turn <- struct{}{}
	defer func() { <-r.turn }()
	r.closed = true
	if r.server != nil {
		r.server.close()
		r.server = nil
	}
}
