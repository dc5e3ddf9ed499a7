package lifecycle

import (
	"errors"
	"time"
)

// door is one change of a tree on its way in: the only way in. Marks are checked
// and folded one by one on a draft of its ledger, so a later mark sees the earlier ones
// and a mark that is refused leaves no trace of any. enter takes the draft over and
// hands the change to the writer.
//
// A door is used by one goroutine, under the supervisor's lock, and once.
type door struct {
	*Ledger // the draft
	s       *Supervisor
	t       *tree
	time    time.Time
	records []Record
	entries []Entry
	after   []func()
}

// knock opens a door. The lock is held until enter.
func (s *Supervisor) knock(t *tree) *door {
	return &door{Ledger: t.draft(), s: s, t: t, time: now()}
}

// run is a run as this door would leave it.
func (d *door) run(id RunID) Run { return d.Run(id) }

// mark adds one record.
func (d *door) mark(session SessionID, id RunID, event Event) error {
	rec := Record{Seq: d.seq + 1, Time: d.time, Root: d.root, Session: session, Run: id, Event: event}
	if err := d.Apply(rec); err != nil {
		return err
	}
	d.records = append(d.records, rec)
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
	t.take(d.Ledger)
	for _, id := range d.order {
		t.runs[id] = newHandle()
		t.join(d.run(id))
	}
	for _, id := range d.touched {
		h, run := t.runs[id], d.get(id)
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
	d.s.waiting = append(d.s.waiting, c)
	d.s.wakeWriter()
	return c
}

// ended reports whether err says that the run had ended before.
func ended(err error) bool { return errors.Is(err, ErrEnded) }
