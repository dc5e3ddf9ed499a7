package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// retryAfter is how long after a refusal of the journal what waits is tried
// again: soon enough for a disk that is full for a moment, and one line a second
// for one that stays so.
const retryAfter = time.Second

func (t *tree) setFault(fault string) {
	if t.fault != fault {
		t.stamp++
		t.fault = fault
	}
	t.wakeWatchers()
}

// clearFaults says that the journal is well: there is one for all trees. The lock
// is held.
func (s *Supervisor) clearFaults() {
	for _, t := range s.trees {
		if t.fault != "" {
			t.setFault("")
		}
	}
}

// ReportBlocked tells all who watch, in one line, what the journal waits for. Its next
// answer takes the word back.
func (s *Supervisor) ReportBlocked(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.trees {
		t.setFault(why)
		t.wakeWatchers()
	}
}

// rollBack puts the trees back to what the journal has, and says why. The lock
// is held.
func (s *Supervisor) rollBack(batch []*change, err error) {
	for _, t := range s.trees {
		if t.fault != "" {
			t.setFault(err.Error()) // it may be another by now
		}
	}
	for _, c := range batch {
		c.err = &Failure{Kind: FailJournal, Message: fmt.Sprintf("not saved: %v", err)}
		d, t := c.tx, c.tx.t
		t.setFault(err.Error())
		for _, id := range d.touched {
			if h, ok := t.runs[id]; ok && !h.lost {
				s.takeBack(t, h, c.err)
			}
		}
		t.restoreRest(d.Ledger, t.saved)
		t.wakeWatchers()
	}
	s.tryAgain()
}

// takeBack puts one run back to what the journal has of it. A started one whose
// end is taken back has no worker any more: it is given up.
func (s *Supervisor) takeBack(t *tree, h *handle, err error) {
	ended := h.run.State.Terminal() && !h.saved.State.Terminal()
	if h.saved.StartedAt.IsZero() && !h.run.StartedAt.IsZero() {
		s.workers.Done() // it was counted, and will not start
	}
	if h.saved.ID == "" {
		t.forget(h)
		return
	}
	t.restore(h.run.ID, t.saved)
	h.run, h.moving, h.ending = h.saved, nil, nil
	if ended && h.run.State == StateRunning {
		s.giveUp(t, h, err)
	}
}

// forget takes out a run that never came to be.
func (t *tree) forget(h *handle) {
	h.cancel(nil)
	close(h.done)
	delete(t.runs, h.run.ID)
	t.restore(h.run.ID, t.saved)
	if t.latest[h.run.Session] == "" {
		delete(t.members, h.run.Session)
	}
}

// giveUp lets go of a run whose end the journal did not take. In memory it has
// failed, and takes no further record; on disk it is open, and the next start
// finds it interrupted. The lock is held.
func (s *Supervisor) giveUp(t *tree, h *handle, err error) {
	if h.lost || h.saved.State.Terminal() {
		return
	}
	h.lost = true
	run := *h.run
	run.applyEnd(now(), Ended{
		State: StateFailed, Partial: run.Partial,
		Error: &Failure{Kind: FailJournal, Message: err.Error()},
	})
	t.Lose(run)
	h.run = t.get(run.ID)
	t.stamp++
	t.unsaved[h.run.ID] = stamped[Run]{t.stamp, run}
	delete(t.progress, h.run.ID)
	t.wakeWatchers()
	h.cancel(nil)
	close(h.done)
	t.cancelShells(h) // no record of it: the journal may not take one now
	s.tryAgain()      // its slot is free
}

// tryAgain sees to it that what waits is not forgotten when the journal is well
// again, and that it is said: nothing else may happen then that would set it going.
// The lock is held.
func (s *Supervisor) tryAgain() {
	if s.retry != nil || s.closing {
		return
	}
	s.retry = time.AfterFunc(retryAfter, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.retry = nil
		faulty := false
		for _, t := range s.trees {
			s.retryRefused(t)
			faulty = faulty || t.fault != ""
		}
		if faulty && !s.closing { // also where nothing waits: who reads that nothing is saved is to read when it is
			s.probing = true
			s.wakeWriter()
		}
	})
}

// retryRefused does what a refusal of the journal left undone: it ends those in line
// that were stopped, sums up what was to be after a run whose end was refused, starts
// those that have a slot, wakes a parent that is owed word. The lock is held.
func (s *Supervisor) retryRefused(t *tree) {
	if s.closing {
		return
	}
	for _, id := range slices.Clone(t.open) {
		h := t.runs[id]
		var stop *Stopped
		if h.run.State == StateQueued && errors.As(context.Cause(h.ctx), &stop) {
			_, _ = s.stopRun(t, h, stop.Cause, stop.Reason) // refused again, it is tried again
		}
	}
	d := s.begin(t)
	if m, begun := t.members[t.root]; begun && d.Latest(m.id).State.Terminal() {
		if _, err := s.runPendingCompact(d, t.root); err != nil {
			return
		}
	}
	if s.startWaiting(d) == nil {
		d.commit()
	}
}
