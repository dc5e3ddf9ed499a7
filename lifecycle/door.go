package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// door is one change of a tree on its way in: the only way in. Marks are checked
// and folded one by one on an overlay, so a later mark sees the earlier ones and
// a mark that is refused leaves no trace of any. enter takes the overlay over and
// hands the change to the writer.
//
// A door is used by one goroutine, under the supervisor's lock, and once.
type door struct {
	s       *Supervisor
	t       *tree
	time    time.Time
	seq     Seq
	records []Record
	entries []Entry
	runs    map[RunID]Run
	order   []RunID // of runs, as first touched
	spawned []RunID
	inboxes map[SessionID]Inbox
}

// change is what a door gave to the writer.
type change struct {
	door  *door
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

// knock opens a door. The lock is held until enter.
func (s *Supervisor) knock(t *tree) *door {
	return &door{s: s, t: t, time: now(), seq: t.seq, runs: map[RunID]Run{}, inboxes: map[SessionID]Inbox{}}
}

// run is a run as this door would leave it.
func (d *door) run(id RunID) Run {
	if run, ok := d.runs[id]; ok {
		return run
	}
	if h, ok := d.t.runs[id]; ok {
		return h.run
	}
	return Run{}
}

// inbox is a queue as this door would leave it.
func (d *door) inbox(session SessionID) Inbox {
	if inbox, ok := d.inboxes[session]; ok {
		return inbox
	}
	if m, ok := d.t.members[session]; ok {
		return m.inbox
	}
	return nil
}

// mark adds one record.
func (d *door) mark(session SessionID, id RunID, event Event) error {
	rec := Record{Seq: d.seq + 1, Time: d.time, Root: d.t.root, Session: session, Run: id, Event: event}
	run, err := d.run(id).Apply(rec)
	if err != nil {
		return fmt.Errorf("record %s of run %s: %w", Name(event), id, err)
	}
	inbox, err := d.inbox(session).Apply(event)
	if err != nil {
		return err
	}
	d.seq++
	d.records = append(d.records, rec)
	if _, touched := d.runs[id]; !touched {
		d.order = append(d.order, id)
		if _, known := d.t.runs[id]; !known {
			d.spawned = append(d.spawned, id)
		}
	}
	d.runs[id] = run
	d.inboxes[session] = inbox
	return nil
}

// marks adds several records of one run.
func (d *door) marks(session SessionID, id RunID, events ...Event) error {
	for _, event := range events {
		if err := d.mark(session, id, event); err != nil {
			return err
		}
	}
	return nil
}

// enter takes the change over and queues it for the writer. From here on the
// next door sees it; nobody else does until it is saved. A door without records
// and entries enters nothing: nil, and nil can be waited for.
func (d *door) enter() *change {
	if len(d.records) == 0 && len(d.entries) == 0 {
		return nil
	}
	t := d.t
	t.seq = d.seq
	for _, id := range d.spawned {
		t.runs[id] = newHandle()
		t.order = append(t.order, id)
		t.open = append(t.open, id)
		t.enlist(d.runs[id])
	}
	for id, run := range d.runs {
		if h := t.runs[id]; h.run.StartedAt.IsZero() && !run.StartedAt.IsZero() {
			d.s.workers.Add(1) // counted before it starts, so that Close never misses one
		}
		t.runs[id].run = run
	}
	for session, inbox := range d.inboxes {
		if m, ok := t.members[session]; ok {
			m.inbox = inbox
		}
	}
	t.open = slices.DeleteFunc(t.open, func(id RunID) bool {
		run := t.runs[id].run
		return run.State.Terminal() && !run.Notification.Pending()
	})
	c := &change{door: d, saved: make(chan struct{})}
	if d.s.shut {
		c.err = ErrClosing
		close(c.saved)
		return c
	}
	d.s.waiting = append(d.s.waiting, c)
	select {
	case d.s.kick <- struct{}{}:
	default:
	}
	return c
}

// write is the writer's goroutine: it hands the journal, in one transaction, all
// that arrived while the last one was being written. So many runs share one disk
// flush, and a lone record waits for nobody.
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

func (s *Supervisor) writeWaiting() {
	s.mu.Lock()
	batch := s.waiting
	s.waiting = nil
	s.mu.Unlock()
	if len(batch) == 0 {
		return
	}
	changes := make([]Change, len(batch))
	for i, c := range batch {
		changes[i] = Change{Records: c.door.records, Entries: c.door.entries}
		for _, id := range c.door.order {
			changes[i].Runs = append(changes[i].Runs, c.door.runs[id])
		}
	}
	err := s.options.Journal.Append(context.Background(), changes)

	s.mu.Lock()
	if err != nil {
		batch = append(batch, s.waiting...) // they build on what was not written
		s.waiting = nil
		s.rollBack(batch, err)
	} else {
		s.announce(batch)
	}
	s.mu.Unlock()
	for _, c := range batch {
		close(c.saved)
	}
}

// announce lets everybody see what is on disk now. The lock is held.
func (s *Supervisor) announce(batch []*change) {
	for _, c := range batch {
		d, t := c.door, c.door.t
		t.savedSeq = d.seq
		t.trail.add(d.records)
		t.clearFault()
		for session, inbox := range d.inboxes {
			t.members[session].savedInbox = inbox
		}
		for _, id := range d.order {
			s.settle(t, t.runs[id], d.runs[id])
		}
		t.wakeWatchers()
	}
}

// settle takes over what is now saved of one run: it starts its worker, or lets
// those go on who wait for it. The lock is held.
func (s *Supervisor) settle(t *tree, h *handle, run Run) {
	before := h.saved
	h.saved = run
	if before.StartedAt.IsZero() && !run.StartedAt.IsZero() {
		go s.drive(t, h)
	}
	if !before.left() && run.left() {
		close(h.moved)
	}
	if run.State.Terminal() && !before.State.Terminal() {
		delete(t.progress, run.ID)
		h.cancel(nil)
		close(h.done)
	}
}

// left says that nobody waits for the run any more although it has not ended.
func (r Run) left() bool { return !r.DetachedAt.IsZero() || !r.OverdueAt.IsZero() }

// rollBack puts the trees back to what the journal has, and says why. The lock
// is held.
func (s *Supervisor) rollBack(batch []*change, err error) {
	for _, c := range batch {
		c.err = &Failure{Kind: FailJournal, Message: fmt.Sprintf("not saved: %v", err)}
		d, t := c.door, c.door.t
		t.seq = t.savedSeq
		t.setFault(err.Error())
		for session := range d.inboxes {
			if m, ok := t.members[session]; ok {
				m.inbox = m.savedInbox
			}
		}
		for _, id := range d.order {
			h, ok := t.runs[id]
			if ok && h.saved.StartedAt.IsZero() && !d.runs[id].StartedAt.IsZero() && !h.run.StartedAt.IsZero() {
				s.workers.Done() // it was counted, and will not start
				h.run.StartedAt = time.Time{}
			}
			switch {
			case !ok:
			case h.saved.ID == "":
				t.forget(id)
			case !h.lost:
				h.run = h.saved
			}
		}
		t.sweep()
		t.wakeWatchers()
	}
}

// forget takes out a run that never came to be.
func (t *tree) forget(id RunID) {
	h := t.runs[id]
	h.cancel(nil)
	close(h.done)
	delete(t.runs, id)
	t.order = slices.DeleteFunc(t.order, func(other RunID) bool { return other == id })
	m := t.members[h.run.Session]
	m.latest = ""
	for _, other := range t.order {
		if t.runs[other].run.Session == m.id {
			m.latest = other
		}
	}
	if m.latest == "" {
		delete(t.members, m.id)
	}
}

// ended reports whether err says that the run had ended before.
func ended(err error) bool { return errors.Is(err, ErrEnded) }
