package lifecycle

import "time"

// tx is one change of a tree, and the only way to change one. Events are checked and
// applied one by one to a draft of its ledger, so a later event sees the earlier ones, and
// one that is refused leaves no trace of any. commit takes the draft over and hands the
// change to the writer.
//
// A tx is used by one goroutine, under the supervisor's lock, and once.
type tx struct {
	*Ledger // the draft
	s       *Supervisor
	t       *tree
	time    time.Time
	records []Record
	entries []Entry
	after   []func()

	requester RunID // whose records carry the number of its request
	request   int64
}

// begin starts a change. The lock is held until commit.
func (s *Supervisor) begin(t *tree) *tx {
	return &tx{Ledger: t.draft(), s: s, t: t, time: now()}
}

// run is a run as this change would leave it.
func (d *tx) run(id RunID) Run { return d.Run(id) }

// apply adds one record.
func (d *tx) apply(session SessionID, id RunID, event Event) error {
	rec := Record{Seq: d.seq + 1, Time: d.time, Root: d.root, Session: session, Run: id, Event: event}
	if id == d.requester {
		rec.Request = d.request
	}
	if err := d.Apply(rec); err != nil {
		return err
	}
	d.records = append(d.records, rec)
	return nil
}

// then calls do under the lock once the change is on disk, and never if it could not be
// written: for state outside the ledger that must not be ahead of the log.
func (d *tx) then(do func()) { d.after = append(d.after, do) }

// applyAll adds several records of one run.
func (d *tx) applyAll(session SessionID, id RunID, events ...Event) error {
	for _, event := range events {
		if err := d.apply(session, id, event); err != nil {
			return err
		}
	}
	return nil
}

// commit makes the change part of the tree and queues it for the writer. Later changes see it
// at once, others when it is saved. A change without records and entries is nil, and nil can
// be waited for.
func (d *tx) commit() *change {
	if len(d.records) == 0 && len(d.entries) == 0 {
		return nil
	}
	c := &change{tx: d, saved: make(chan struct{})}
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
		h, run := t.handle(id), d.get(id)
		t.runs[id] = h // one that had settled is here again, until this is saved
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

// change makes one change of a tree, and waits until it is saved.
func (s *Supervisor) change(t *tree, do func(*tx) error) error {
	s.mu.Lock()
	d := s.begin(t)
	var c *change
	err := do(d)
	if err == nil {
		c = d.commit()
	}
	s.mu.Unlock()
	return saved(c, err)
}
