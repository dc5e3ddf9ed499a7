package lifecycle

import (
	"iter"
	"maps"
	"slices"
)

// The supervisor checks a change on a draft, which is then merged as a whole or dropped. It
// keeps two ledgers, one with all changes and one with those that the journal has, and merges
// the same drafts into both. So their runs are shared, and never changed in place.

// draft is a ledger on top of this one. Records applied to it do not change this one.
func (l *Ledger) draft() *Ledger {
	return &Ledger{
		root: l.root, seq: l.seq, woken: l.woken, asides: l.asides, lost: l.lost, base: l,
		runs: map[RunID]*Run{},
	}
}

// get is a run, or an empty one.
func (l *Ledger) get(id RunID) *Run {
	if run, own := l.runs[id]; own {
		return run
	}
	if l.base != nil {
		return l.base.get(id)
	}
	return &Run{}
}

// current lists the runs that are unsettled, in the order of spawning.
func (l *Ledger) current() iter.Seq[*Run] {
	return func(yield func(*Run) bool) {
		before, own := l.open, []RunID(nil)
		if l.base != nil {
			before, own = l.base.open, l.order
		}
		for _, ids := range [...][]RunID{before, own} {
			for _, id := range ids {
				if !yield(l.get(id)) {
					return
				}
			}
		}
	}
}

// backward lists all runs, the newest first.
func (l *Ledger) backward() iter.Seq[*Run] {
	return func(yield func(*Run) bool) {
		for from := l; from != nil; from = from.base {
			for _, id := range slices.Backward(from.order) {
				if !yield(l.get(id)) {
					return
				}
			}
		}
	}
}

// take makes a draft part of this ledger.
func (l *Ledger) take(d *Ledger) {
	for _, id := range d.touched {
		l.runs[id] = d.runs[id]
	}
	for _, id := range d.order {
		l.enlist(l.runs[id])
	}
	for _, id := range d.touched {
		l.settle(l.runs[id])
	}
	maps.Copy(l.inboxes, d.inboxes)
	maps.Copy(l.spoken, d.spoken)
	l.seq, l.woken, l.asides, l.summed = d.seq, d.woken, d.asides, false
}

// clone is another ledger of the same runs.
func (l *Ledger) clone() *Ledger {
	copied := *l
	copied.runs, copied.latest, copied.inboxes = maps.Clone(l.runs), maps.Clone(l.latest), maps.Clone(l.inboxes)
	copied.spoken, copied.lost = maps.Clone(l.spoken), maps.Clone(l.lost)
	copied.order, copied.open = slices.Clone(l.order), slices.Clone(l.open)
	return &copied
}

// restore makes a run what it is in another ledger, and removes it if it is not there.
func (l *Ledger) restore(id RunID, from *Ledger) {
	l.summed = false
	if run, has := from.runs[id]; has {
		l.runs[id] = run
		return
	}
	session := l.runs[id].Session
	delete(l.runs, id)
	l.order = slices.DeleteFunc(l.order, func(other RunID) bool { return other == id })
	delete(l.latest, session)
	for _, other := range l.order {
		if l.runs[other].Session == session {
			l.latest[session] = other
		}
	}
}

// restoreRest undoes everything else that a draft changed, after its runs.
func (l *Ledger) restoreRest(d, from *Ledger) {
	for session := range d.inboxes {
		l.inboxes[session] = from.inboxes[session]
	}
	l.seq, l.woken, l.asides = from.seq, from.woken, from.asides
	l.open = slices.DeleteFunc(slices.Clone(l.order), func(id RunID) bool { return !l.unsettled(l.runs[id]) })
}
