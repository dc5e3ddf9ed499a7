package host

import (
	"context"
	"log/slog"
	"sync"

	"pawl/internal/app"
	"pawl/internal/fleet"
	"pawl/lifecycle"
)

// state is what a host knows of its session's runs while they work: for the decision to leave, and
// for whoever asks. Its methods may be called from any goroutine.
type state struct {
	changed chan struct{} // holds one ring: something in it is new

	mu       sync.Mutex
	ledger   *lifecycle.Ledger // nil until the session is open
	waking   bool              // the main agent is about to be woken
	fault    string            // why nothing can be saved
	progress map[lifecycle.RunID]lifecycle.Progress
	screens  int
	news     chan struct{} // closed at the next change
	acts     int           // commands of programs that are being carried out
	owed     lifecycle.Seq // the newest record of those, which the ledger may not have seen yet
	left     bool          // the host leaves: nothing new begins

	endedUnseen bool // something ended by itself while there was no screen, and none has come since
}

func newState() *state {
	return &state{changed: make(chan struct{}, 1), progress: map[lifecycle.RunID]lifecycle.Progress{}, news: make(chan struct{})}
}

// follow keeps the state of a session until ctx ends.
func (s *state) follow(ctx context.Context, session *app.Session) {
	snapshot, err := session.Opening.Wait(ctx)
	if err != nil {
		s.note(func() { s.ledger = lifecycle.NewLedger(lifecycle.Snapshot{Root: session.Root}) }) // there is nothing to wait for
		return
	}
	s.note(func() { s.ledger = lifecycle.NewLedger(snapshot) })
	err = session.Supervisor.Watch(ctx, session.Root, snapshot.Seq, func(u lifecycle.Updates) {
		s.note(func() { s.take(u) })
	})
	if ctx.Err() == nil {
		slog.Error("follow the session of this host", "error", err)
	}
}

func (s *state) note(change func()) {
	s.mu.Lock()
	change()
	close(s.news)
	s.news = make(chan struct{})
	s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default: // it rings already
	}
}

func (s *state) take(u lifecycle.Updates) {
	for _, rec := range u.Records {
		if rec.Seq <= s.ledger.Seq() {
			continue // the snapshot has it
		}
		if err := s.ledger.Apply(rec); err != nil {
			slog.Error("follow the session of this host", "record", rec.Seq, "error", err)
			return
		}
		if end, ends := rec.Event.(lifecycle.Ended); ends {
			delete(s.progress, rec.Run)
			if s.screens == 0 && end.State != lifecycle.StateCanceledByUser { // who stopped it knows
				s.endedUnseen = true
			}
		}
	}
	for _, run := range u.Unsaved {
		s.ledger.Lose(run)
	}
	for _, p := range u.Progress {
		s.progress[p.Run] = p
	}
	s.waking, s.fault = u.Waking, u.Fault
}

// live reports whether something goes on, or is about to, that nobody need look at: then the host
// stays. It is true until the session is open.
func (s *state) live() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lives()
}

// lives is live, with the lock held.
func (s *state) lives() bool {
	return s.ledger == nil || s.acts > 0 || s.ledger.Seq() < s.owed || s.ledger.Working() > 0 || s.waking
}

// leave reports that nothing goes on, and from then on refuses to begin anything.
func (s *state) leave() bool { return s.leaveIf(func() bool { return !s.lives() }) }

// leaveUnopened is leave that does not wait for the session to be open.
func (s *state) leaveUnopened() bool {
	return s.leaveIf(func() bool { return s.acts == 0 && (s.ledger == nil || !s.lives()) })
}

// leaveRuns is leave that looks at no run: the ledger may be behind what a screen has shown.
func (s *state) leaveRuns() bool { return s.leaveIf(func() bool { return s.acts == 0 }) }

// leaveIf asks with the lock held.
func (s *state) leaveIf(idle func() bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = s.left || idle()
	return s.left
}

// stay takes a leave back.
func (s *state) stay() { s.note(func() { s.left = false }) }

// acting reports whether a program's command is being carried out.
func (s *state) acting() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acts > 0
}

// do carries out a command. The host stays until it has seen the records of that.
func (s *state) do(carryOut func() (lifecycle.Reply, error)) (reply lifecycle.Reply, err error) {
	s.mu.Lock()
	if s.left {
		s.mu.Unlock()
		return reply, fleet.ErrLeaving
	}
	s.acts++
	s.mu.Unlock()
	reply, err = carryOut()
	s.note(func() {
		s.acts--
		for _, run := range reply.Runs {
			s.owed = max(s.owed, run.Seq)
		}
	})
	return reply, err
}

// working reports whether something goes on in a session that is open.
func (s *state) working() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ledger != nil && s.lives()
}

// running counts what has not ended.
func (s *state) running() (subagents, commands int, parent bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ledger == nil {
		return 0, 0, false
	}
	for _, run := range s.ledger.Live() {
		switch {
		case run.Shell():
			commands++
		case run.Subagent():
			subagents++
		default:
			parent = true
		}
	}
	return subagents, commands, parent
}
