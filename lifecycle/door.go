package lifecycle

import (
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
	runs    map[RunID]*Run
	order   []RunID // of runs, as first touched
	spawned []RunID
	inboxes map[SessionID]Inbox
	after   []func()
}

// knock opens a door. The lock is held until enter.
func (s *Supervisor) knock(t *tree) *door {
	return &door{s: s, t: t, time: now(), seq: t.seq, runs: map[RunID]*Run{}, inboxes: map[SessionID]Inbox{}}
}

// run is a run as this door would leave it.
func (d *door) run(id RunID) Run {
	if run, ok := d.runs[id]; ok {
		return *run
	}
	if h, ok := d.t.runs[id]; ok {
		return *h.run
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
	d.runs[id] = &run
	d.inboxes[session] = inbox
	return nil
}

// then is done once the change is on disk, under the lock, and never if the
// journal refuses it: for what is no part of a run and must not outrun the log.
func (d *door) then(do func()) { d.after = append(d.after, do) }

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
	c := &change{door: d, saved: make(chan struct{})}
	if d.s.shut {
		c.err = ErrClosing
		close(c.saved)
		return c
	}
	t := d.t
	t.seq = d.seq
	for _, id := range d.spawned {
		t.runs[id] = newHandle()
		t.order = append(t.order, id)
		t.open = append(t.open, id)
		t.enlist(*d.runs[id])
	}
	for id, run := range d.runs {
		h := t.runs[id]
		if h.run.StartedAt.IsZero() && !run.StartedAt.IsZero() {
			d.s.workers.Add(1) // counted before it starts, so that Close never misses one
		}
		if !h.run.left() && run.left() {
			h.moving = c
		}
		if !h.run.State.Terminal() && run.State.Terminal() {
			h.ending = c
		}
		h.run = run
	}
	for session, inbox := range d.inboxes {
		if m, ok := t.members[session]; ok {
			m.inbox = inbox
		}
	}
	t.open = slices.DeleteFunc(t.open, func(id RunID) bool { return !t.runs[id].unsettled() })
	d.s.waiting = append(d.s.waiting, c)
	d.s.wakeWriter()
	return c
}

// ended reports whether err says that the run had ended before.
func ended(err error) bool { return errors.Is(err, ErrEnded) }
