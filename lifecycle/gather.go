package lifecycle

import "time"

// What wakes an idle parent, and when: the end of a run does at once, ends that a person
// causes do together, and what a person has begun beside the parent does not.

// gatherFor is how long the ends that a person causes are gathered: longer than somebody who
// goes through a list takes between two stops.
const gatherFor = 3 * time.Second

// OfPerson reports whether a person's own message to a subagent started this run, so that the
// parent's model has not asked for it.
func (r Run) OfPerson() bool {
	return r.Subagent() && r.Trigger == TriggerMessage && r.From == FromUser
}

// byHand reports whether a person ended just this run, with a key or a command.
func (r Run) byHand() bool {
	return r.State == StateCanceledByUser && (r.Cause == CauseKey || r.Cause == CauseCommand)
}

// Wakes reports whether the ends that the root is owed wake it while it is idle, and after
// how long. An end that no person has caused wakes it at once, for all of them.
func (l *Ledger) Wakes(at time.Time) (wait time.Duration, wakes bool) {
	for _, run := range l.Owed(l.root) {
		switch {
		case run.UserShell(), run.OfPerson() && !l.spokenTo(run.ID): // it goes with the person's next message
		case !run.byHand():
			return 0, true
		default:
			wakes = true
			wait = max(wait, min(gatherFor, gatherFor-at.Sub(run.EndedAt)))
		}
	}
	return wait, wakes
}

// spokenTo reports whether the parent's model has written to a run, in this process or an earlier one.
func (l *Ledger) spokenTo(id RunID) bool {
	return l.spoken[id] || l.base != nil && l.base.spoken[id]
}

// Woken is how often the root has woken itself since its user wrote.
func (l *Ledger) Woken() int { return l.woken }

// DecidingRun is the root's run that decides whether it wakes by itself: the newest that did
// more than a successful summary. It is the zero Run before the root's first.
func (l *Ledger) DecidingRun() Run {
	for run := range l.backward() {
		if run.Session == l.root && (run.Trigger != TriggerCompact || run.Stopped() || run.Unable()) {
			return *run
		}
	}
	return Run{}
}

// WakeBlocked reports whether the root does not wake by itself, because that run was stopped
// or could not begin, as the next one could not.
func (l *Ledger) WakeBlocked() bool {
	run := l.DecidingRun()
	return run.Stopped() || run.Unable()
}

// wakes counts how often the root wakes itself. A summary does not count as its user's message.
func (l *Ledger) wakes(session SessionID, by Trigger) {
	switch {
	case session != l.root || by == TriggerCompact:
	case by == TriggerNotification:
		l.woken++
	default:
		l.woken = 0
	}
}

// gather wakes the parent after a while. A wake-up that was due is put off. The lock is held.
func (s *Supervisor) gather(t *tree, wait time.Duration) {
	t.setWaking(true)
	if t.gathering != nil {
		t.gathering.Reset(wait)
		return
	}
	t.gathering = time.AfterFunc(wait, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.closing {
			return
		}
		d := s.begin(t)
		if s.wake(d) == nil { // else the journal is tried again, and this with it
			d.commit()
		}
	})
}

// setWaking says whether the parent is about to be woken. The lock is held.
func (t *tree) setWaking(waking bool) {
	if t.waking == waking {
		return
	}
	t.waking = waking
	t.stamp++
	t.wakeWatchers()
}
