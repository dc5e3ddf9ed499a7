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
		d := s.knock(t)
		if s.wake(d) == nil { // else the journal is asked again, and then it is tried anew
			d.enter()
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
