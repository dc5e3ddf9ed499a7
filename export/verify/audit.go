package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pawl/agent/mask"
	"pawl/export/book"
	"pawl/lifecycle"
)

// audit is a session that is held against its promises: what its records make of its runs, and what is wrong so
// far. It belongs to one goroutine.
type audit struct {
	ctx     context.Context
	src     book.Source
	root    lifecycle.SessionID
	upto    lifecycle.Seq
	hide    mask.Mask
	verdict Verdict

	receipts     map[lifecycle.RunID]lifecycle.Run // the runs as the source lists them
	receiptOrder []lifecycle.RunID                 // in the order of that list

	runs         map[lifecycle.RunID]lifecycle.Run // by their records so far
	names        map[lifecycle.RunID]string
	runOrder     []lifecycle.RunID // in the order of the log
	open         []lifecycle.RunID // of those, the ones that have not ended
	broken       map[lifecycle.RunID]bool
	sessions     map[lifecycle.SessionID]*sessionAudit
	sessionOrder []lifecycle.SessionID // in the order of the log
	agents       int                   // sessions of subagents so far
	shells       int

	at     lifecycle.Seq // the record that is being held against the promises
	faulty bool          // it breaks one of them
	due    *due          // what the next record has to be
	checks []check

	changes  changes
	requests map[lifecycle.RunID]*requests // of open remote runs

	stands  map[book.Caller]bool     // calls on which runs stand, by the receipts
	carries map[book.Caller][32]byte // what calls say of the runs that stand on them, as a hash
}

// transition is one record with its run before and after it.
type transition struct {
	rec           lifecycle.Record
	before, after lifecycle.Run
}

func newAudit(ctx context.Context, src book.Source, upto lifecycle.Seq) *audit {
	a := &audit{
		ctx: ctx, src: src, root: src.Session.ID, upto: upto, hide: mask.New(src.Secrets),
		verdict:  Verdict{Records: upto, Faults: []Fault{}, Unseen: unseen(src)},
		receipts: map[lifecycle.RunID]lifecycle.Run{}, runs: map[lifecycle.RunID]lifecycle.Run{},
		names: map[lifecycle.RunID]string{}, broken: map[lifecycle.RunID]bool{}, sessions: map[lifecycle.SessionID]*sessionAudit{},
		checks: checks(), stands: map[book.Caller]bool{}, carries: map[book.Caller][32]byte{}, requests: map[lifecycle.RunID]*requests{},
	}
	a.session(a.root, "", false)
	return a
}

// fault notes what is wrong with the record at hand. A record breaks one promise: what
// else is wrong with it follows from that.
func (a *audit) fault(p Promise, run lifecycle.RunID, call lifecycle.CallID, format string, args ...any) {
	if a.faulty {
		return
	}
	a.faulty = true
	a.note(Fault{Promise: p, Record: a.at, Run: run, Call: call, Message: fmt.Sprintf(format, args...)})
}

func (a *audit) note(f Fault) {
	if f.Run != "" {
		a.broken[f.Run] = true
		f.Name, f.Session = a.name(f.Run), a.runs[f.Run].Session
	}
	if len(a.verdict.Faults) == mostFaults {
		a.verdict.More++
		return
	}
	a.verdict.Faults = append(a.verdict.Faults, f)
}

// name is the short name of a run, or its id where the log does not know it.
func (a *audit) name(id lifecycle.RunID) string {
	if name, ok := a.names[id]; ok {
		return name
	}
	return string(id)
}

// log plays the records. It reports whether they are all there: beyond a gap nothing can
// be said.
func (a *audit) log() (whole bool, err error) {
	for a.at < a.upto {
		if a.ctx.Err() != nil {
			return false, context.Cause(a.ctx)
		}
		records, err := a.src.Records(a.ctx, a.root, a.at, int(min(book.PageSize, a.upto-a.at)))
		if err != nil {
			return false, fmt.Errorf("read the log after record %d: %w", a.at, err)
		}
		if len(records) == 0 {
			a.gap("the log ends at record %d, before record %d", a.at, a.upto)
			return false, nil
		}
		for _, rec := range records {
			if rec.Seq != a.at+1 {
				a.gap("record %d follows record %d; what comes after that was not checked", rec.Seq, a.at)
				return false, nil
			}
			a.at, a.faulty = rec.Seq, false
			if err := a.record(rec); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

func (a *audit) gap(format string, args ...any) {
	a.faulty = false
	a.note(Fault{Promise: promiseNumbers, Record: a.at + 1, Message: fmt.Sprintf(format, args...)})
}

// record holds one record against all that is promised of it. It keeps its own account of
// queues, lines and debts: lifecycle.Ledger, which the supervisor acts on, is what is tried.
func (a *audit) record(rec lifecycle.Record) error {
	t := &transition{rec: rec, before: a.runs[rec.Run]}
	a.kept(t)
	after, err := t.before.Apply(rec)
	if err != nil {
		a.refused(t, err)
		return nil
	}
	t.after = after
	a.runs[rec.Run] = after
	if t.before.ID == "" {
		a.spawned(t)
	}
	if a.sessions[rec.Session] == nil {
		a.fault(promisePlace, rec.Run, "", "it is in session %s, in which no run ever began", rec.Session)
		a.broken[rec.Run] = true
		return nil
	}
	if after.State.Terminal() && !t.before.State.Terminal() {
		a.open = slices.DeleteFunc(a.open, func(id lifecycle.RunID) bool { return id == rec.Run })
	}
	for _, c := range a.checks {
		if c.each != nil {
			c.each(a, t)
		}
		if a.faulty && c.promise == promisePlace {
			break // nobody knows where the others would look
		}
	}
	return a.onRecord(t)
}

// refused names the promise that a record breaks which no run can have here.
func (a *audit) refused(t *transition, err error) {
	promise := promiseStates
	switch t.rec.Event.(type) {
	case lifecycle.NotificationQueued, lifecycle.NotificationDelivered, lifecycle.NotificationWithdrawn, lifecycle.Consumed:
		if t.before.State.Terminal() {
			promise = promiseTold
		}
	default:
	}
	if placed, is := t.rec.Event.(lifecycle.Placed); is && !t.before.State.Terminal() && t.before.State != lifecycle.StateQueued {
		promise, err = promiseRemote, t.misplaced(placed)
	}
	if errors.Is(err, lifecycle.ErrEnded) {
		promise = promiseOneEnd
		err = fmt.Errorf("%s after the end", lifecycle.Name(t.rec.Event))
	}
	if t.before.ID == "" {
		promise, err = promisePlace, fmt.Errorf("%s of a run that never began", lifecycle.Name(t.rec.Event))
	}
	a.fault(promise, t.rec.Run, "", "%v", err)
	a.broken[t.rec.Run] = true
}

// close holds against the promises what only the end of the log shows.
func (a *audit) close() error {
	a.at = 0
	for _, c := range a.checks {
		if c.last != nil {
			c.last(a)
		}
	}
	a.overdue()
	if err := a.lastWords(); err != nil {
		return err
	}
	if err := a.compare(); err != nil {
		return err
	}
	return a.claims()
}
