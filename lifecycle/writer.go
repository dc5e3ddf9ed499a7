package lifecycle

import "context"

// change is what a commit gave to the writer.
type change struct {
	tx    *tx
	err   error
	saved chan struct{} // closed when err is final
}

// wait returns when the change is on disk, or with the error that kept it off.
func (c *change) wait() error {
	if c == nil {
		return nil
	}
	<-c.saved
	return c.err
}

// saved waits for a change, unless an error came before it.
func saved(c *change, err error) error {
	if err != nil {
		return err
	}
	return c.wait()
}

// write is the writer's goroutine: it gives the journal, in one transaction, all changes that
// came while the last one was being written. So many runs share one disk flush, and a single
// record does not wait.
func (s *Supervisor) write() {
	for {
		select {
		case <-s.kick:
		case <-s.stopped:
			s.writeWaiting()
			return
		}
		s.writeWaiting()
	}
}

func (s *Supervisor) wakeWriter() {
	select {
	case s.kick <- struct{}{}:
	default: // it is awake already
	}
}

func (s *Supervisor) writeWaiting() {
	s.mu.Lock()
	batch, probing := s.waiting, s.probing
	s.waiting, s.probing = nil, false
	s.mu.Unlock()
	if len(batch) == 0 && !probing {
		return
	}
	changes := make([]Change, len(batch))
	for i, c := range batch {
		changes[i] = Change{Records: c.tx.records, Entries: c.tx.entries}
		for _, id := range c.tx.touched {
			changes[i].Runs = append(changes[i].Runs, c.tx.run(id))
		}
	}
	err := s.options.Journal.Append(context.Background(), changes)

	s.mu.Lock()
	if err != nil {
		batch = append(batch, s.waiting...) // they depend on what was not written
		s.waiting = nil
		s.rollBack(batch, err)
	} else {
		s.clearFaults()
		s.announce(batch)
	}
	for _, c := range batch {
		c.tx = nil // a run keeps its last change, and need not keep all of it
	}
	s.mu.Unlock()
	for _, c := range batch {
		close(c.saved)
	}
}

// announce makes visible what is now on disk. The lock is held.
func (s *Supervisor) announce(batch []*change) {
	for _, c := range batch {
		d, t := c.tx, c.tx.t
		t.saved.take(d.Ledger)
		t.trail.add(d.records)
		for _, id := range d.touched {
			s.settleRun(t, t.runs[id], d.get(id))
		}
		for _, do := range d.after {
			do()
		}
		t.tellOfRecords()
		t.wakeWatchers()
	}
}

// settleRun notes what is now saved of one run: it starts its worker, or ends the waits for
// the run. The lock is held.
func (s *Supervisor) settleRun(t *tree, h *handle, run *Run) {
	before := h.saved
	h.saved = run
	if before.StartedAt.IsZero() && !run.StartedAt.IsZero() {
		go s.drive(&Port{s: s, t: t, h: h, session: run.Session, id: run.ID})
	}
	if before.Placed != run.Placed {
		t.forgetOpen(h)
	}
	if !before.left() && run.left() {
		close(h.moved)
	}
	if run.State.Terminal() && !before.State.Terminal() {
		delete(t.progress, run.ID)
		h.cancel(nil)
		close(h.done)
	}
	t.letGo(h)
}
