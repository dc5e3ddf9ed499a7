package lifecycle

import "slices"

// stopRun asks for the end of one run: it cancels first, then records. A queued run ends at
// once, a running one when its worker returns. An ended run does not change, nor does one that outlives
// the process. The lock is held.
func (s *Supervisor) stopRun(t *tree, h *handle, cause Cause, reason string) (*change, error) {
	if h.run.Outlives(cause) {
		if s.closing {
			h.cancel(ErrLeft)
		}
		return nil, nil
	}
	stop := &Stopped{Cause: cause, Reason: reason}
	switch h.run.State {
	case StateQueued:
		h.cancel(stop)
		return s.end(t, h, Ended{State: cause.State(), Cause: cause, Reason: reason})
	case StateRunning:
		first := h.ctx.Err() == nil
		h.cancel(stop)
		d := s.begin(t)
		if err := d.apply(h.run.Session, h.run.ID, StopRequested{Cause: cause, Reason: reason}); err != nil {
			return nil, err
		}
		if first {
			s.workers.Go(func() { s.watchStop(t, h) })
		}
		c := d.commit()
		if last := s.endShells(t, h); last != nil { // now, so that their 2 s begin with its own
			c = last
		}
		return c, nil
	default: // it has ended: the caller reports its state
		return nil, nil
	}
}

// stopOpen stops the open runs of a tree that match, newest first, so that no freed slot
// starts one that is about to be stopped too. It returns them and the last change; waiting for
// that waits for all, because the writer keeps the order. The lock is held.
func (s *Supervisor) stopOpen(t *tree, cause Cause, match func(Run) bool) (stopped []RunID, last *change) {
	for _, id := range slices.Backward(slices.Clone(t.open)) { // not all that ever ran: a run that ends asks this too
		h := t.runs[id]
		if h.run.State.Terminal() || !match(*h.run) {
			continue
		}
		if c, err := s.stopRun(t, h, cause, ""); err == nil {
			stopped, last = append(stopped, h.run.ID), c
		}
	}
	return stopped, last
}

// revive ends the runs that a dead process left open: subagents first, so that their shells
// count as ended with them, then shells, then the root's, whose end finds what is still to be
// reported. Remote runs are kept. The lock is held.
func (s *Supervisor) revive(t *tree) (*change, error) {
	d := s.begin(t)
	turns := []func(Run) bool{Run.Subagent, Run.Shell, func(r Run) bool { return !r.Child() }}
	for _, turn := range turns {
		for _, id := range t.open {
			h := t.runs[id]
			if h.run.State.Terminal() || !turn(*h.run) {
				continue
			}
			if s.keeps(d, *h.run) {
				if err := s.keep(d, h); err != nil {
					return nil, err
				}
				continue
			}
			end := Ended{State: StateInterrupted, Cause: CauseProcessEnd, Partial: h.run.Partial, Found: true}
			if err := s.markEnd(d, h, end); err != nil {
				return nil, err
			}
		}
	}
	if m, begun := t.members[t.root]; begun { // it may have ended before, and only theirs not have been saved
		if err := s.resolveNotifications(d, t.Latest(m.id)); err != nil {
			return nil, err
		}
	}
	if err := s.startQueued(d); err != nil {
		return nil, err
	}
	return d.commit(), nil
}
