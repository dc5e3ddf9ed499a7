package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// retryAfter is how long after a failed write the journal is tried again: soon, for a disk
// that is full for a moment, but one line a second in the log if it stays full.
const retryAfter = time.Second

func (t *tree) setFault(fault string) {
	if t.fault != fault {
		t.stamp++
		t.fault = fault
	}
	t.wakeWatchers()
}

// clearFaults notes that the journal, which all trees share, can be written. The lock is held.
func (s *Supervisor) clearFaults() {
	for _, t := range s.trees {
		if t.fault != "" {
			t.setFault("")
		}
	}
}

// ReportBlocked tells all watchers, in one line, what the journal is waiting for. Its next
// result clears that.
func (s *Supervisor) ReportBlocked(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.trees {
		t.setFault(why)
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

// takeBack restores one run as the journal has it. One whose end is taken back has no worker
// any more, so it is given up.
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
	t.letGo(h)
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

// giveUp gives up a run whose end could not be recorded. In memory it has failed and takes
// no further record; on disk it is open, and the next start finds it interrupted. The lock
// is held.
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

// tryAgain makes sure that waiting runs start once the journal can be written again, and
// that watchers learn of that: nothing else may happen then. The lock is held.
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
		if faulty && !s.closing { // even if nothing waits: whoever reads that nothing is saved must read when that has changed
			s.probing = true
			s.wakeWriter()
		}
	})
}

// retryRefused does what a failed write left undone: it ends queued runs that were stopped,
// starts a summary or the answer to messages that were to follow a run, starts runs that have a
// slot, and wakes a parent that is owed a notification. The lock is held.
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
	for session := range t.members {
		last := d.Latest(session)
		var err error
		switch {
		case t.Lost(last.ID) && last.follows(last.State):
			err = s.follow(d, session)
		case session == t.root && last.State.Terminal():
			_, err = s.runPendingCompact(d, session)
		}
		if err != nil {
			return
		}
	}
	if s.startWaiting(d) == nil {
		d.commit()
	}
}
