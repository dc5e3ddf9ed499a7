package transcript

import (
	"fmt"
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// Runs is all that is known of a root session but its conversations: the fold of its log,
// what the screen looks up in that, and what passes too fast to be recorded.
type Runs struct {
	*lifecycle.Ledger
	Sessions []lifecycle.SessionID // of subagents and their shells, as first spawned
	Progress map[lifecycle.RunID]lifecycle.Progress
	Pulses   map[lifecycle.RunID]*Pulse // of the runs that are at work
	first    map[lifecycle.SessionID]lifecycle.RunID
	users    map[lifecycle.SessionID][]lifecycle.RunID // by session: the commands that its user ran there
	calls    map[delegation][]lifecycle.RunID
	barred   map[lifecycle.SessionID][]lifecycle.RunID // runs with something denied, or granted after that
	changed  map[lifecycle.SessionID]int               // changes of files that its runs recorded
	heard    map[lifecycle.RunID][]lifecycle.RunID     // by a parent's run: of whose ends it was told
	pastes   []string                                  // what was pasted into messages
	Forked   sanitize.Text                             // what the session was forked from; empty: it was begun
}

// delegation is a tool call that started runs. Providers name calls, so the name
// alone is not enough.
type delegation struct {
	parent lifecycle.SessionID
	call   lifecycle.CallID
}

// NewRuns begins with the runs and queues of a snapshot.
func NewRuns(s lifecycle.Snapshot) *Runs {
	r := &Runs{
		Ledger:   lifecycle.NewLedger(s),
		Progress: map[lifecycle.RunID]lifecycle.Progress{},
		Pulses:   map[lifecycle.RunID]*Pulse{},
		first:    map[lifecycle.SessionID]lifecycle.RunID{},
		users:    map[lifecycle.SessionID][]lifecycle.RunID{},
		calls:    map[delegation][]lifecycle.RunID{},
		barred:   map[lifecycle.SessionID][]lifecycle.RunID{},
		changed:  map[lifecycle.SessionID]int{},
		heard:    map[lifecycle.RunID][]lifecycle.RunID{},
	}
	for _, run := range s.Runs {
		r.enlist(run)
		r.bar(run)
		if n := run.Notification; n != nil && n.InRun != "" {
			r.heard[n.InRun] = append(r.heard[n.InRun], run.ID)
		}
	}
	return r
}

func (r *Runs) enlist(run lifecycle.Run) {
	r.changed[run.Session] += run.Changed
	if _, known := r.first[run.Session]; !known {
		r.first[run.Session] = run.ID
		switch {
		case run.UserShell():
			r.users[run.Parent] = append(r.users[run.Parent], run.ID)
		case run.Child():
			r.Sessions = append(r.Sessions, run.Session)
		}
	}
	if run.Child() && run.Call != "" {
		key := delegation{run.Parent, run.Call}
		r.calls[key] = append(r.calls[key], run.ID)
	}
}

// Apply takes the next record in, as a ledger does. An error means that the session log is
// inconsistent; what could be read of it stands.
func (r *Runs) Apply(rec lifecycle.Record) error {
	if rec.Seq <= r.Run(rec.Run).Seq {
		return nil // a snapshot had it
	}
	if err := r.Ledger.Apply(rec); err != nil {
		return fmt.Errorf("record %d: %w", rec.Seq, err)
	}
	switch e := rec.Event.(type) {
	case lifecycle.Spawned:
		r.enlist(r.Run(rec.Run))
	case lifecycle.PermissionDenied, lifecycle.PermissionGranted:
		r.bar(r.Run(rec.Run))
	case lifecycle.NotificationDelivered:
		r.heard[e.InRun] = append(r.heard[e.InRun], rec.Run)
	case lifecycle.FilesChanged:
		r.changed[rec.Session] += len(e.Files)
	case lifecycle.Ended:
		r.leave(rec.Run)
	default: // nothing of it is looked up
	}
	if run := r.Run(rec.Run); run.Child() && run.State == lifecycle.StateRunning {
		r.pulse(rec.Run).beat(rec.Time, actWeight)
	}
	return nil
}

// Changed is how many changes of files all runs of a session have recorded.
func (r *Runs) Changed(session lifecycle.SessionID) int { return r.changed[session] }

// pulse is that of a run at work.
func (r *Runs) pulse(id lifecycle.RunID) *Pulse {
	p := r.Pulses[id]
	if p == nil {
		p = &Pulse{}
		r.Pulses[id] = p
	}
	return p
}

// leave forgets what only a run at work has.
func (r *Runs) leave(id lifecycle.RunID) {
	delete(r.Progress, id)
	delete(r.Pulses, id)
}

// Report takes a run's newest progress in. What is left over from an earlier
// step, or from a run that has ended, is none.
func (r *Runs) Report(p lifecycle.Progress) bool {
	run := r.Run(p.Run)
	if run.ID == "" || run.State.Terminal() || p.Step != run.Step {
		return false
	}
	r.Progress[p.Run] = p
	if run.Child() {
		r.pulse(p.Run).report(p)
	}
	return true
}

// Lose notes a run whose end could not be recorded, as it ended.
func (r *Runs) Lose(run lifecycle.Run) {
	if r.Run(run.ID).ID == "" {
		r.enlist(run)
	}
	r.Ledger.Lose(run)
	r.bar(run)
	r.leave(run.ID)
}

// Alive reports whether the newest run of a session is queued or running.
func (r *Runs) Alive(session lifecycle.SessionID) bool {
	run := r.Latest(session)
	return run.State != "" && !run.State.Terminal()
}

// Background is how many live runs go on that no tool call waits for.
func (r *Runs) Background() int {
	n := 0
	for _, run := range r.Live() {
		if run.Child() && !run.Awaited() {
			n++
		}
	}
	return n
}

// Started lists the runs that a tool call of a session began, oldest first.
func (r *Runs) Started(parent lifecycle.SessionID, call lifecycle.CallID) []lifecycle.Run {
	var runs []lifecycle.Run
	for _, id := range r.calls[delegation{parent, call}] {
		runs = append(runs, r.Run(id))
	}
	return runs
}

// Unreported lists the runs whose ends the root's model is still to be told, without the commands that
// its user ran: these are news to the model alone.
func (r *Runs) Unreported() []lifecycle.Run {
	return slices.DeleteFunc(r.Owed(r.Root()), lifecycle.Run.UserShell)
}

// Told lists the runs whose end a parent's run learned of at a step, as
// they ended.
func (r *Runs) Told(in lifecycle.RunID, step int) []lifecycle.Run {
	var runs []lifecycle.Run
	for _, id := range r.heard[in] {
		if run := r.Run(id); run.Notification.Step == step {
			runs = append(runs, run)
		}
	}
	slices.SortStableFunc(runs, func(a, b lifecycle.Run) int { return a.EndedAt.Compare(b.EndedAt) })
	return runs
}
