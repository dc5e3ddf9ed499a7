package ui

import (
	"fmt"
	"slices"

	"pawl/lifecycle"
)

// roster is all that is known of a root session but its conversations: its runs,
// its queues, what passes too fast to be recorded. It is a fold of the log.
type roster struct {
	root     lifecycle.SessionID
	runs     map[lifecycle.RunID]lifecycle.Run
	order    []lifecycle.RunID // as spawned
	first    map[lifecycle.SessionID]lifecycle.RunID
	latest   map[lifecycle.SessionID]lifecycle.RunID
	sessions []lifecycle.SessionID // of subagents and shells, as first spawned
	progress map[lifecycle.RunID]lifecycle.Progress
	inbox    map[lifecycle.SessionID]lifecycle.Inbox
	unsaved  map[lifecycle.RunID]bool
	calls    map[delegation][]lifecycle.RunID
	barred   map[lifecycle.SessionID][]lifecycle.RunID // runs with something denied, or granted after that
	heard    map[lifecycle.RunID][]lifecycle.RunID     // by a parent's run: of whose ends it was told

	// What each frame asks for, so that it costs no more for all that is over.
	current []lifecycle.RunID // live, or with an end that is still to be told; the live ones as spawned
	sum     lifecycle.Usage
	summed  bool // sum is that of all runs as they are
}

// delegation is a tool call that started runs. Providers name calls, so the name
// alone is not enough.
type delegation struct {
	parent lifecycle.SessionID
	call   lifecycle.CallID
}

func newRoster(s lifecycle.Snapshot) *roster {
	r := &roster{
		root:     s.Root,
		runs:     map[lifecycle.RunID]lifecycle.Run{},
		first:    map[lifecycle.SessionID]lifecycle.RunID{},
		latest:   map[lifecycle.SessionID]lifecycle.RunID{},
		progress: map[lifecycle.RunID]lifecycle.Progress{},
		inbox:    map[lifecycle.SessionID]lifecycle.Inbox{},
		unsaved:  map[lifecycle.RunID]bool{},
		calls:    map[delegation][]lifecycle.RunID{},
		barred:   map[lifecycle.SessionID][]lifecycle.RunID{},
		heard:    map[lifecycle.RunID][]lifecycle.RunID{},
	}
	for _, run := range s.Runs {
		r.put(run)
		r.enlist(run)
	}
	for session, inbox := range s.Inbox {
		r.inbox[session] = inbox
	}
	return r
}

func (r *roster) enlist(run lifecycle.Run) {
	if _, known := r.first[run.Session]; !known {
		r.first[run.Session] = run.ID
		if run.Child() {
			r.sessions = append(r.sessions, run.Session)
		}
	}
	r.latest[run.Session] = run.ID
	r.order = append(r.order, run.ID)
	if run.Child() && run.Call != "" {
		key := delegation{run.Parent, run.Call}
		r.calls[key] = append(r.calls[key], run.ID)
	}
}

// put takes a run as it is now.
func (r *roster) put(run lifecycle.Run) {
	was, known := r.runs[run.ID]
	if by := toldTo(run); by != "" && toldTo(was) != by {
		r.heard[by] = append(r.heard[by], run.ID)
	}
	switch now, before := isCurrent(run), known && isCurrent(was); {
	case now && !before:
		r.current = append(r.current, run.ID)
	case before && !now:
		r.current = slices.DeleteFunc(r.current, func(id lifecycle.RunID) bool { return id == run.ID })
	}
	r.bar(run)
	r.summed = r.summed && was.Usage == run.Usage
	r.runs[run.ID] = run
}

func isCurrent(run lifecycle.Run) bool { return !run.State.Terminal() || run.Notification.Pending() }

// toldTo is the run that was told of a run's end, empty for none yet.
func toldTo(run lifecycle.Run) lifecycle.RunID {
	if run.Notification == nil {
		return ""
	}
	return run.Notification.InRun
}

// fold takes one record in. Records that the snapshot held already change
// nothing. An error means that the session log is inconsistent; what could be read of
// it stands.
func (r *roster) fold(rec lifecycle.Record) error {
	run, known := r.runs[rec.Run]
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
		delete(r.progress, rec.Run)
	}
	inbox, err := r.inbox[rec.Session].Apply(rec.Event)
	if err != nil {
		return fmt.Errorf("record %d: %w", rec.Seq, err)
	}
	r.inbox[rec.Session] = inbox
	return nil
}

// report takes a run's newest progress in. What is left over from an earlier
// step, or from a run that has ended, is none.
func (r *roster) report(p lifecycle.Progress) bool {
	run, known := r.runs[p.Run]
	if !known || run.State.Terminal() || p.Step != run.Step {
		return false
	}
	r.progress[p.Run] = p
	return true
}

// lost notes a run whose end could not be recorded.
func (r *roster) lost(run lifecycle.Run) {
	if _, known := r.runs[run.ID]; !known {
		r.enlist(run)
	}
	r.put(run)
	r.unsaved[run.ID] = true
	delete(r.progress, run.ID)
}

// of is the newest run of a session; the zero Run where it has none.
func (r *roster) of(session lifecycle.SessionID) lifecycle.Run { return r.runs[r.latest[session]] }

// all lists every run, in the order of spawning.
func (r *roster) all() []lifecycle.Run {
	runs := make([]lifecycle.Run, len(r.order))
	for i, id := range r.order {
		runs[i] = r.runs[id]
	}
	return runs
}

// alive reports whether the newest run of a session is queued or running.
func (r *roster) alive(session lifecycle.SessionID) bool {
	run := r.of(session)
	return run.State != "" && !run.State.Terminal()
}

// working counts the runs that are queued or running. Every frame asks several times,
// and needs no copies of them.
func (r *roster) working() int {
	return r.count(func(run lifecycle.Run) bool { return !run.State.Terminal() })
}

// count counts the runs that fit among those that live, or whose end is still to be told.
func (r *roster) count(fits func(lifecycle.Run) bool) int {
	n := 0
	for _, id := range r.current {
		if fits(r.runs[id]) {
			n++
		}
	}
	return n
}

// live lists the runs that are queued or running, in the order of spawning.
func (r *roster) live() []lifecycle.Run {
	live := make([]lifecycle.Run, 0, r.working())
	for _, id := range r.current {
		if run := r.runs[id]; !run.State.Terminal() {
			live = append(live, run)
		}
	}
	return live
}

// background lists the live runs that no tool call waits for.
func (r *roster) background() []lifecycle.Run {
	return slices.DeleteFunc(r.live(), func(run lifecycle.Run) bool { return !run.Child() || awaited(run) })
}

// foreground counts the live runs that a parent's tool call waits for.
func (r *roster) foreground() int { return r.count(awaited) }

// awaited reports whether a tool call waits for the run.
func awaited(run lifecycle.Run) bool { return run.Subagent() && !run.State.Terminal() && !run.Owes() }

// position is the place of a queued run in its line, 1 for the next.
func (r *roster) position(of lifecycle.Run) int {
	place := 0
	for _, id := range r.current {
		run := r.runs[id]
		if run.Subagent() && run.State == lifecycle.StateQueued && run.Background == of.Background {
			place++
		}
		if id == of.ID {
			break
		}
	}
	return place
}

// started lists the runs that a tool call of a session began, oldest first.
func (r *roster) started(parent lifecycle.SessionID, call lifecycle.CallID) []lifecycle.Run {
	var runs []lifecycle.Run
	for _, id := range r.calls[delegation{parent, call}] {
		runs = append(runs, r.runs[id])
	}
	return runs
}

// told lists the runs whose end a parent's run learned of at a step, as
// they ended.
func (r *roster) told(in lifecycle.RunID, step int) []lifecycle.Run {
	var runs []lifecycle.Run
	for _, id := range r.heard[in] {
		if run := r.runs[id]; run.Notification.Step == step {
			runs = append(runs, run)
		}
	}
	slices.SortStableFunc(runs, func(a, b lifecycle.Run) int { return a.EndedAt.Compare(b.EndedAt) })
	return runs
}

// woken is how often the root has woken itself since anything else set it going.
func (r *roster) woken() int {
	woken := 0
	for _, id := range slices.Backward(r.order) {
		run := r.runs[id]
		switch {
		case run.Session != r.root, run.Trigger == lifecycle.TriggerCompact:
		case run.Trigger == lifecycle.TriggerNotification:
			woken++
		default:
			return woken
		}
	}
	return woken
}

// judged is the root's run that decides whether it wakes by itself: the newest,
// but for those that did nothing but sum the conversation up.
func (r *roster) judged() lifecycle.Run {
	for _, id := range slices.Backward(r.order) {
		run := r.runs[id]
		if run.Session == r.root && (run.Trigger != lifecycle.TriggerCompact || run.State != lifecycle.StateCompleted) {
			return run
		}
	}
	return lifecycle.Run{}
}

// owed is how many ends the root's model has still to be told of.
func (r *roster) owed() int {
	owed := 0
	for _, id := range r.current {
		if run := r.runs[id]; run.Notification.Pending() && run.Parent == r.root {
			owed++
		}
	}
	return owed
}

// owedByPerson says that all of these are of runs that a person's own word began.
func (r *roster) owedByPerson() bool {
	for _, id := range r.current {
		if run := r.runs[id]; run.Notification.Pending() && run.Parent == r.root && !run.OfPerson() {
			return false
		}
	}
	return true
}

// owedStopped says that all of these are subagents that a person stopped.
func (r *roster) owedStopped() bool {
	for _, id := range r.current {
		if run := r.runs[id]; run.Notification.Pending() && run.Parent == r.root && (run.Shell() || run.State != lifecycle.StateCanceledByUser) {
			return false
		}
	}
	return true
}

// questions lists what is asked and not answered, oldest run first.
func (r *roster) questions() []lifecycle.Question {
	var asked []lifecycle.Question
	for _, id := range r.current {
		asked = append(asked, r.runs[id].Asked...)
	}
	return asked
}

// spent is what the session cost in all, subagents included.
func (r *roster) spent() lifecycle.Usage {
	if !r.summed {
		r.sum, r.summed = lifecycle.Usage{}, true
		for _, run := range r.runs {
			r.sum = r.sum.Add(run.Usage)
		}
	}
	return r.sum
}

// newest is the number of the newest record of the log.
func (r *roster) newest() lifecycle.Seq {
	var seq lifecycle.Seq
	for _, id := range r.latest {
		seq = max(seq, r.runs[id].Seq)
	}
	return seq
}
