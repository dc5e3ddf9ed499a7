package transcript

import (
	"fmt"
	"slices"

	"pawl/lifecycle"
)

// Runs is all that is known of a root session but its conversations: its runs,
// its queues, what passes too fast to be recorded. It is a fold of the log.
type Runs struct {
	Root     lifecycle.SessionID
	Runs     map[lifecycle.RunID]lifecycle.Run
	Order    []lifecycle.RunID // as spawned
	first    map[lifecycle.SessionID]lifecycle.RunID
	Latest   map[lifecycle.SessionID]lifecycle.RunID
	Sessions []lifecycle.SessionID // of subagents and shells, as first spawned
	Progress map[lifecycle.RunID]lifecycle.Progress
	Inbox    map[lifecycle.SessionID]lifecycle.Inbox
	Unsaved  map[lifecycle.RunID]bool
	calls    map[delegation][]lifecycle.RunID
	barred   map[lifecycle.SessionID][]lifecycle.RunID // runs with something denied, or granted after that
	heard    map[lifecycle.RunID][]lifecycle.RunID     // by a parent's run: of whose ends it was told

	// What each frame asks for, so that it costs no more for all that is over.
	Current []lifecycle.RunID // live, or with an end that is still to be told; the live ones as spawned
	sum     lifecycle.Usage
	summed  bool // sum is that of all runs as they are
}

// delegation is a tool call that started runs. Providers name calls, so the name
// alone is not enough.
type delegation struct {
	parent lifecycle.SessionID
	call   lifecycle.CallID
}

// NewRuns begins with the runs, queues and unsaved ends of a snapshot.
func NewRuns(s lifecycle.Snapshot) *Runs {
	r := &Runs{
		Root:     s.Root,
		Runs:     map[lifecycle.RunID]lifecycle.Run{},
		first:    map[lifecycle.SessionID]lifecycle.RunID{},
		Latest:   map[lifecycle.SessionID]lifecycle.RunID{},
		Progress: map[lifecycle.RunID]lifecycle.Progress{},
		Inbox:    map[lifecycle.SessionID]lifecycle.Inbox{},
		Unsaved:  map[lifecycle.RunID]bool{},
		calls:    map[delegation][]lifecycle.RunID{},
		barred:   map[lifecycle.SessionID][]lifecycle.RunID{},
		heard:    map[lifecycle.RunID][]lifecycle.RunID{},
	}
	for _, run := range s.Runs {
		r.put(run)
		r.enlist(run)
	}
	for session, inbox := range s.Inbox {
		r.Inbox[session] = inbox
	}
	return r
}

func (r *Runs) enlist(run lifecycle.Run) {
	if _, known := r.first[run.Session]; !known {
		r.first[run.Session] = run.ID
		if run.Child() {
			r.Sessions = append(r.Sessions, run.Session)
		}
	}
	r.Latest[run.Session] = run.ID
	r.Order = append(r.Order, run.ID)
	if run.Child() && run.Call != "" {
		key := delegation{run.Parent, run.Call}
		r.calls[key] = append(r.calls[key], run.ID)
	}
}

// put takes a run as it is now.
func (r *Runs) put(run lifecycle.Run) {
	was, known := r.Runs[run.ID]
	if by := toldTo(run); by != "" && toldTo(was) != by {
		r.heard[by] = append(r.heard[by], run.ID)
	}
	switch now, before := isCurrent(run), known && isCurrent(was); {
	case now && !before:
		r.Current = append(r.Current, run.ID)
	case before && !now:
		r.Current = slices.DeleteFunc(r.Current, func(id lifecycle.RunID) bool { return id == run.ID })
	}
	r.bar(run)
	r.summed = r.summed && was.Usage == run.Usage
	r.Runs[run.ID] = run
}

func isCurrent(run lifecycle.Run) bool { return !run.State.Terminal() || run.Notification.Pending() }

// toldTo is the run that was told of a run's end, empty for none yet.
func toldTo(run lifecycle.Run) lifecycle.RunID {
	if run.Notification == nil {
		return ""
	}
	return run.Notification.InRun
}

// Fold takes one record in. Records that the snapshot held already change
// nothing. An error means that the session log is inconsistent; what could be read of
// it stands.
func (r *Runs) Fold(rec lifecycle.Record) error {
	run, known := r.Runs[rec.Run]
	if known && rec.Seq <= run.Seq {
		return nil
	}
	next, err := run.Apply(rec)
	if err != nil {
		return fmt.Errorf("record %d: %w", rec.Seq, err)
	}
	r.put(next)
	if !known {
		r.enlist(next)
	}
	if next.State.Terminal() {
		delete(r.Progress, rec.Run)
	}
	inbox, err := r.Inbox[rec.Session].Apply(rec.Event)
	if err != nil {
		return fmt.Errorf("record %d: %w", rec.Seq, err)
	}
	r.Inbox[rec.Session] = inbox
	return nil
}

// Report takes a run's newest progress in. What is left over from an earlier
// step, or from a run that has ended, is none.
func (r *Runs) Report(p lifecycle.Progress) bool {
	run, known := r.Runs[p.Run]
	if !known || run.State.Terminal() || p.Step != run.Step {
		return false
	}
	r.Progress[p.Run] = p
	return true
}

// Lost notes a run whose end could not be recorded.
func (r *Runs) Lost(run lifecycle.Run) {
	if _, known := r.Runs[run.ID]; !known {
		r.enlist(run)
	}
	r.put(run)
	r.Unsaved[run.ID] = true
	delete(r.Progress, run.ID)
}

// Of is the newest run of a session; the zero Run where it has none.
func (r *Runs) Of(session lifecycle.SessionID) lifecycle.Run { return r.Runs[r.Latest[session]] }

// All lists every run, in the order of spawning.
func (r *Runs) All() []lifecycle.Run {
	runs := make([]lifecycle.Run, len(r.Order))
	for i, id := range r.Order {
		runs[i] = r.Runs[id]
	}
	return runs
}

// Alive reports whether the newest run of a session is queued or running.
func (r *Runs) Alive(session lifecycle.SessionID) bool {
	run := r.Of(session)
	return run.State != "" && !run.State.Terminal()
}

// Working counts the runs that are queued or running. Every frame asks several times,
// and needs no copies of them.
func (r *Runs) Working() int {
	return r.count(func(run lifecycle.Run) bool { return !run.State.Terminal() })
}

// count counts the runs that fit among those that live, or whose end is still to be told.
func (r *Runs) count(fits func(lifecycle.Run) bool) int {
	n := 0
	for _, id := range r.Current {
		if fits(r.Runs[id]) {
			n++
		}
	}
	return n
}

// Live lists the runs that are queued or running, in the order of spawning.
func (r *Runs) Live() []lifecycle.Run {
	live := make([]lifecycle.Run, 0, r.Working())
	for _, id := range r.Current {
		if run := r.Runs[id]; !run.State.Terminal() {
			live = append(live, run)
		}
	}
	return live
}

// Background lists the live runs that no tool call waits for.
func (r *Runs) Background() []lifecycle.Run {
	return slices.DeleteFunc(r.Live(), func(run lifecycle.Run) bool { return !run.Child() || awaited(run) })
}

// Foreground counts the live runs that a parent's tool call waits for.
func (r *Runs) Foreground() int { return r.count(awaited) }

// awaited reports whether a tool call waits for the run.
func awaited(run lifecycle.Run) bool { return run.Subagent() && !run.State.Terminal() && !run.Owes() }

// Position is the place of a queued run in its line, 1 for the next.
func (r *Runs) Position(of lifecycle.Run) int {
	place := 0
	for _, id := range r.Current {
		run := r.Runs[id]
		if run.Subagent() && run.State == lifecycle.StateQueued && run.Background == of.Background {
			place++
		}
		if id == of.ID {
			break
		}
	}
	return place
}

// Started lists the runs that a tool call of a session began, oldest first.
func (r *Runs) Started(parent lifecycle.SessionID, call lifecycle.CallID) []lifecycle.Run {
	var runs []lifecycle.Run
	for _, id := range r.calls[delegation{parent, call}] {
		runs = append(runs, r.Runs[id])
	}
	return runs
}

// Told lists the runs whose end a parent's run learned of at a step, as
// they ended.
func (r *Runs) Told(in lifecycle.RunID, step int) []lifecycle.Run {
	var runs []lifecycle.Run
	for _, id := range r.heard[in] {
		if run := r.Runs[id]; run.Notification.Step == step {
			runs = append(runs, run)
		}
	}
	slices.SortStableFunc(runs, func(a, b lifecycle.Run) int { return a.EndedAt.Compare(b.EndedAt) })
	return runs
}

// Woken is how often the root has woken itself since anything else set it going.
func (r *Runs) Woken() int {
	woken := 0
	for _, id := range slices.Backward(r.Order) {
		run := r.Runs[id]
		switch {
		case run.Session != r.Root, run.Trigger == lifecycle.TriggerCompact:
		case run.Trigger == lifecycle.TriggerNotification:
			woken++
		default:
			return woken
		}
	}
	return woken
}

// Judged is the root's run that decides whether it wakes by itself: the newest,
// but for those that did nothing but sum the conversation up.
func (r *Runs) Judged() lifecycle.Run {
	for _, id := range slices.Backward(r.Order) {
		run := r.Runs[id]
		if run.Session == r.Root && (run.Trigger != lifecycle.TriggerCompact || run.State != lifecycle.StateCompleted) {
			return run
		}
	}
	return lifecycle.Run{}
}

// Owed is how many ends the root's model has still to be told of.
func (r *Runs) Owed() int {
	owed := 0
	for _, id := range r.Current {
		if run := r.Runs[id]; run.Notification.Pending() && run.Parent == r.Root {
			owed++
		}
	}
	return owed
}

// OwedByPerson says that all of these are of runs that a person's own word began.
func (r *Runs) OwedByPerson() bool {
	for _, id := range r.Current {
		if run := r.Runs[id]; run.Notification.Pending() && run.Parent == r.Root && !run.OfPerson() {
			return false
		}
	}
	return true
}

// OwedStopped says that all of these are subagents that a person stopped.
func (r *Runs) OwedStopped() bool {
	for _, id := range r.Current {
		if run := r.Runs[id]; run.Notification.Pending() && run.Parent == r.Root && (run.Shell() || run.State != lifecycle.StateCanceledByUser) {
			return false
		}
	}
	return true
}

// Questions lists what is asked and not answered, oldest run first.
func (r *Runs) Questions() []lifecycle.Question {
	var asked []lifecycle.Question
	for _, id := range r.Current {
		asked = append(asked, r.Runs[id].Asked...)
	}
	return asked
}

// Spent is what the session cost in all, subagents included.
func (r *Runs) Spent() lifecycle.Usage {
	if !r.summed {
		r.sum, r.summed = lifecycle.Usage{}, true
		for _, run := range r.Runs {
			r.sum = r.sum.Add(run.Usage)
		}
	}
	return r.sum
}

// Newest is the number of the newest record of the log.
func (r *Runs) Newest() lifecycle.Seq {
	var seq lifecycle.Seq
	for _, id := range r.Latest {
		seq = max(seq, r.Runs[id].Seq)
	}
	return seq
}
