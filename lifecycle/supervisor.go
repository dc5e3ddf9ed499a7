package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Options configure a supervisor.
type Options struct {
	Journal Journal
	Work    Worker
	Limits  Limits
	// Attended says that somebody can answer questions. Otherwise every question is answered
	// with no.
	Attended bool
	// AskInBackground sends the questions of background runs to the screen
	// instead of denying them.
	AskInBackground bool
	// Attach reads the files that a person's message names, and the command that it begins with,
	// for the model of its session. run
	// is the newest run of that session or, before the first, only what it will be started
	// with. Outside the folder Attach reads only the paths in reach. It is called without the
	// lock, for each message that starts a run or is taken in, and returns promptly when ctx
	// ends. Nil: nothing is attached.
	Attach func(ctx context.Context, run Run, text string, reach []string) Attached
	// Permissions decides what needs no person. Nil: a person answers each question, and each
	// yes is for one call.
	Permissions Permissions
}

// Supervisor runs sessions as goroutines and is the only writer of their log. A
// process has one; it can drive several root sessions, each with its own log,
// its own slots and its own watchers.
//
// All methods may be called from any goroutine. While one holds the lock it calls nothing but
// the pure functions of Permissions, and none waits for a watcher.
type Supervisor struct {
	options Options

	mu      sync.Mutex
	trees   map[SessionID]*tree
	waiting []*change     // entered, not yet handed to the journal
	kick    chan struct{} // wakes the writer; holds one
	closing bool          // no new run starts
	shut    bool          // the writer is gone: no further change is accepted
	retry   *time.Timer   // until a failed write is tried again; nil if none failed
	probing bool          // the writer is to test whether the journal can be written again

	opening chan struct{} // holds one: one Open at a time

	workers sync.WaitGroup
	writer  sync.WaitGroup
	stopped chan struct{} // tells the writer that nothing more will come
	closed  chan struct{} // closed when Close is done
}

// ErrUnknown reports a session or run that this supervisor does not drive, or that does not
// belong to the caller.
var ErrUnknown = errors.New("not found")

// ErrClosing reports a run that was asked for while Pawl was quitting.
var ErrClosing = errors.New("pawl is quitting: nothing new is started")

// New makes a supervisor and starts its writer. Close it.
func New(options Options) *Supervisor {
	if options.Permissions == nil {
		options.Permissions = noPermissions{}
	}
	s := &Supervisor{
		options: options,
		trees:   map[SessionID]*tree{},
		kick:    make(chan struct{}, 1),
		stopped: make(chan struct{}),
		closed:  make(chan struct{}),
		opening: make(chan struct{}, 1),
	}
	s.writer.Go(s.write)
	return s
}

// Open opens a root session, new or from the journal, and returns its state. seed is what
// each run of the root starts with (type, model, effort, folder). Open first ends, as interrupted,
// the runs that a dead process left open, so the caller must hold the session's lock; if
// that cannot be saved the session is not opened. Remote runs go on: their Work is called again.
// Opening twice is the same as once.
func (s *Supervisor) Open(ctx context.Context, root SessionID, seed Spec) (Snapshot, error) {
	select {
	case s.opening <- struct{}{}:
		defer func() { <-s.opening }()
	case <-ctx.Done():
		return Snapshot{}, context.Cause(ctx)
	}
	s.mu.Lock()
	_, open := s.trees[root]
	s.mu.Unlock()
	if open {
		return s.Snapshot(root)
	}
	loaded, err := s.options.Journal.Load(ctx, root)
	if err != nil {
		return Snapshot{}, fmt.Errorf("open session %s: %w", root, err)
	}
	seed.Root, seed.Parent = root, ""
	t, err := newTree(root, seed, loaded)
	if err == nil {
		err = t.recallAsides(ctx, s.options.Journal)
	}
	if err != nil {
		return Snapshot{}, fmt.Errorf("open session %s: %w", root, err)
	}
	s.mu.Lock()
	s.trees[root] = t
	c, err := s.revive(t)
	s.mu.Unlock()
	if err := saved(c, err); err != nil {
		s.mu.Lock()
		delete(s.trees, root)
		s.mu.Unlock()
		return Snapshot{}, fmt.Errorf("open session %s: end what its last process left: %w", root, err)
	}
	s.takeUp(t)
	return s.Snapshot(root)
}

// Snapshot returns a root session as the journal has it now.
func (s *Supervisor) Snapshot(root SessionID) (Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.tree(root)
	if err != nil {
		return Snapshot{}, err
	}
	snapshot := t.saved.Snapshot()
	snapshot.Reopened, snapshot.Waking, snapshot.AllStopped = t.reopened, t.waking, t.held
	return snapshot, nil
}

// SetModel changes the model of later runs of a root session, and of its subagents that name
// no model. A run under way keeps its model. The change is recorded with the next run, since
// each Spawned names its model.
func (s *Supervisor) SetModel(root SessionID, model string) error {
	return s.reseed(root, func(seed *Spec) { seed.Model = model })
}

// SetEffort changes the effort of later runs of a root session, as SetModel changes their
// model. Empty leaves it to the model.
func (s *Supervisor) SetEffort(root SessionID, effort string) error {
	return s.reseed(root, func(seed *Spec) { seed.Effort = effort })
}

func (s *Supervisor) reseed(root SessionID, set func(seed *Spec)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.tree(root)
	if err != nil {
		return err
	}
	set(&t.seed)
	return nil
}

// Close ends all runs with this cause and returns when that is recorded and every goroutine
// of the supervisor has ended, or when ctx ends; what then still runs is found interrupted at
// the next start. With CauseProcessEnd it leaves remote runs as they are: see ErrLeft.
// A second call waits for the first.
func (s *Supervisor) Close(ctx context.Context, cause Cause) error {
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		select {
		case <-s.closed:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	defer close(s.closed)
	s.closing = true
	if s.retry != nil {
		s.retry.Stop()
	}
	for _, t := range s.trees {
		t.stopUnsent(func(SessionID) bool { return true })
		s.stopOpen(t, cause, func(Run) bool { return true })
		if t.gathering != nil {
			t.gathering.Stop()
		}
	}
	s.mu.Unlock()

	ended := make(chan struct{})
	go func() { s.workers.Wait(); close(ended) }()
	var err error
	select {
	case <-ended:
	case <-ctx.Done():
		err = fmt.Errorf("some work did not end in time: %w", context.Cause(ctx))
	}
	s.mu.Lock()
	s.shut = true
	s.mu.Unlock()
	close(s.stopped)
	s.writer.Wait()
	return err
}

// tree finds a root session. The lock is held.
func (s *Supervisor) tree(root SessionID) (*tree, error) {
	if t, ok := s.trees[root]; ok {
		return t, nil
	}
	return nil, fmt.Errorf("session %s: %w", root, ErrUnknown)
}

// treeOf finds the tree of a session, also of a root that has no run yet. The
// lock is held.
func (s *Supervisor) treeOf(id SessionID) (*tree, error) {
	if t, ok := s.trees[id]; ok {
		return t, nil
	}
	t, _, err := s.member(id)
	return t, err
}

// member finds a session, root or subagent, and the tree it stands in. The lock
// is held.
func (s *Supervisor) member(id SessionID) (*tree, *member, error) {
	for _, t := range s.trees {
		if m, ok := t.members[id]; ok {
			return t, m, nil
		}
	}
	return nil, nil, fmt.Errorf("session %s: %w", id, ErrUnknown)
}

// now is the time that a record gets. Virtual in tests under synctest.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
