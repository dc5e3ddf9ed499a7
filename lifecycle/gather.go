package lifecycle

import "time"

// What wakes an idle parent, and when: the end of a run does at once, ends that a person
// causes do together, and what a person has begun beside the parent does not.

// gatherFor is for how long the ends that a person causes are gathered. Nobody reads a
// list and stops what they do not want at a slower pace.
const gatherFor = 3 * time.Second

// OfPerson reports whether a person's own word to a subagent started this run: its
// parent's model has not asked for it.
func (r Run) OfPerson() bool {
	return r.Subagent() && r.Trigger == TriggerMessage && r.From == FromUser
}

// byHand says that a person has ended the run at this moment.
func (r Run) byHand() bool {
	return r.State == StateCanceledByUser && (r.Cause == CauseKey || r.Cause == CauseCommand)
}

// Wakes says whether the ends that the root is owed wake it while it is idle, and after
// which time. One that no person has caused does so at once, for all.
func (l *Ledger) Wakes(at time.Time) (wait time.Duration, wakes bool) {
	for _, run := range l.Owed(l.root) {
		switch {
		case run.OfPerson() && !l.spokenTo(run.ID): // it goes with the person's next message
		case !run.byHand():
			return 0, true
		default:
			wakes = true
			wait = max(wait, min(gatherFor, gatherFor-at.Sub(run.EndedAt)))
		}
	}
	return wait, wakes
}

// spokenTo reports whether the parent's model has written to a run. A ledger that began with a
// snapshot knows only of what came after that, which loses nothing: in a reopened session all
// ends that are owed wait for the user's next message.
func (l *Ledger) spokenTo(id RunID) bool {
	return l.spoken[id] || l.base != nil && l.base.spoken[id]
}

// Woken is how often the root has woken itself since its user wrote.
func (l *Ledger) Woken() int { return l.woken }

// DecidingRun is the root's run that decides whether it wakes by itself: the newest, but for
// those that summed the conversation up, which do not hide what the run before them was.
// It is the zero Run before the root's first.
func (l *Ledger) DecidingRun() Run {
	for run := range l.backward() {
		if run.Session == l.root && (run.Trigger != TriggerCompact || run.Stopped() || run.Unable()) {
			return *run
		}
	}
	return Run{}
}

// WakeBlocked says that the root does not wake by itself: that run was stopped, or could not
// begin, and the next one would fail like it.
func (l *Ledger) WakeBlocked() bool {
	run := l.DecidingRun()
	return run.Stopped() || run.Unable()
}

// wakes counts how often the root wakes itself. A run that sums the conversation up is
// nobody's word.
func (l *Ledger) wakes(session SessionID, by Trigger) {
	switch {
	case session != l.root || by == TriggerCompact:
	case by == TriggerNotification:
		l.woken++
	default:
		l.woken = 0
	}
}

// gather wakes the parent after a while, anew from now on where that was to come. The
// lock is held.
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
		if s.wake(d) == nil { // else the journal is asked again, and then it is tried anew
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
