package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pawl/internal/failpoint"
	"pawl/lifecycle"
)

// Append writes all changes in one transaction and returns once they would
// survive a power cut. On an error none of them is written: ErrRefused if the
// schema does not allow them, ErrFull, ErrBusy, ErrNewer (another process has
// changed the schema meanwhile), ErrReadOnly, or the cause of ctx.
//
// The first run of a session creates the session's row, so a root's run must come
// before those of its subagents. Only a command of the user's own may come before that.
//
// Without changes, Append writes a fact instead, to test that the database can be written.
func (s *Store) Append(ctx context.Context, changes []lifecycle.Change) error {
	b, err := newBatch(changes)
	if err != nil {
		return s.faultf(ErrRefused, err, "append to the log: %v", err)
	}
	if b.empty() {
		return s.SetFact(ctx, factTried, fmt.Sprintf("%-*s", trySize, time.Now().UTC().Format(time.RFC3339)))
	}
	b.reach("before")
	err = s.transact(ctx, "append to the log", func(t *transaction) error {
		err := b.write(t)
		b.reach("inside")
		return err
	})
	if err != nil && s.onDisk(ctx, b) {
		err = nil
	}
	if err == nil {
		b.reach("after")
	}
	return err
}

// onDisk reports whether a batch that failed is on disk after all; a transaction is
// there whole or not at all. A caller told that it failed would reuse these record
// numbers, and every later Append would be refused.
func (s *Store) onDisk(ctx context.Context, b *batch) bool {
	found := 0
	for _, change := range b.changes {
		for _, rec := range change.Records {
			there, err := s.hasRecord(ctx, rec)
			if err != nil || !there {
				return false
			}
			found++
		}
	}
	return found > 0
}

// reach is where a test kills the program, on either side of each write.
func (b *batch) reach(side string) {
	if !failpoint.On {
		return
	}
	for _, change := range b.changes {
		for _, rec := range change.Records {
			failpoint.Reach("store." + side + "." + lifecycle.Name(rec.Event))
		}
	}
}

// batch is what one Append writes, sorted. A run or session that several changes
// touch is written once, as the last of them leaves it.
type batch struct {
	changes []lifecycle.Change
	spawned map[lifecycle.RunID]lifecycle.Seq
	runs    map[lifecycle.RunID]lifecycle.Run
	order   []lifecycle.RunID // the keys of runs, in the order first touched
	touched map[lifecycle.SessionID]time.Time
	costs   map[costKey]float64 // US dollars, of the records of usage
}

func newBatch(changes []lifecycle.Change) (*batch, error) {
	b := &batch{
		changes: changes,
		spawned: map[lifecycle.RunID]lifecycle.Seq{},
		runs:    map[lifecycle.RunID]lifecycle.Run{},
		touched: map[lifecycle.SessionID]time.Time{},
		costs:   map[costKey]float64{},
	}
	for _, change := range changes {
		for _, rec := range change.Records {
			if _, spawned := rec.Event.(lifecycle.Spawned); spawned {
				b.spawned[rec.Run] = rec.Seq
			}
			b.touch(rec.Session, rec.Time)
			b.touch(rec.Root, rec.Time)
			b.addCost(rec)
		}
		for _, run := range change.Runs {
			before, again := b.runs[run.ID]
			if again && before.State.Terminal() && before.State != run.State {
				return nil, fmt.Errorf("run %s has ended as %s and cannot become %s", run.ID, before.State, run.State)
			}
			if !again {
				b.order = append(b.order, run.ID)
			}
			b.runs[run.ID] = run
		}
	}
	return b, nil
}

func (b *batch) touch(session lifecycle.SessionID, at time.Time) {
	if at.After(b.touched[session]) {
		b.touched[session] = at
	}
}

func (b *batch) empty() bool {
	return !slices.ContainsFunc(b.changes, func(c lifecycle.Change) bool { return len(c.Records)+len(c.Entries)+len(c.Runs) > 0 })
}

// write puts rows before those that refer to them: sessions, runs, the rest.
func (b *batch) write(t *transaction) error {
	for _, change := range b.changes {
		for _, rec := range change.Records {
			if spawned, is := rec.Event.(lifecycle.Spawned); is {
				if err := t.openSession(rec, spawned.Spec); err != nil {
					return err
				}
			}
		}
	}
	for _, id := range b.order {
		if err := t.putRun(b.runs[id], b.spawned[id]); err != nil {
			return err
		}
	}
	for _, change := range b.changes {
		if err := writeChange(t, change); err != nil {
			return err
		}
	}
	for session, at := range b.touched {
		if err := t.touchSession(session, at); err != nil {
			return err
		}
	}
	return t.addCosts(b.costs)
}

func writeChange(t *transaction, change lifecycle.Change) error {
	var last lifecycle.Seq
	for _, rec := range change.Records {
		last = rec.Seq
		if err := t.putRecord(rec); err != nil {
			return err
		}
		if err := t.notify(rec); err != nil {
			return err
		}
		if err := t.noteReturned(rec); err != nil {
			return err
		}
	}
	for _, entry := range change.Entries {
		if err := t.putMessage(entry, last); err != nil {
			return err
		}
	}
	return nil
}
