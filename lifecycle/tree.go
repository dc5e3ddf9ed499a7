package lifecycle

import (
	"context"
	"fmt"
	"time"
)

// tree is a root session with its subagents: one log, one numbering, one set of
// slots. The supervisor's lock guards every field.
//
// Each run and each queue stands here twice: as the door left it (run, inbox),
// which decides what may follow, and as the journal has it (saved, savedInbox),
// which is all that anybody outside is ever told.
type tree struct {
	root     SessionID
	seed     Spec // what the root's runs are started with
	seq      Seq  // of the last record entered
	savedSeq Seq

	members map[SessionID]*member
	runs    map[RunID]*handle
	order   []RunID // as spawned
	open    []RunID // those that are not settled, in order of spawning

	trail    trail
	progress map[RunID]stamped[Progress]
	unsaved  map[RunID]stamped[Run]
	fault    string
	stamp    int64 // grows with every progress, fault and unsaved run
	watchers map[*watcher]struct{}

	questions map[QuestionID]chan Answer

	reopened  bool // from the store, and the user has not written since
	held      bool // the user stopped everything, and has not written since
	selfWoken int  // times the parent woke itself since the user wrote

	gathering *time.Timer // wakes the parent for ends that a person has caused; nil before the first
	waking    bool        // the parent is about to be woken

	wish *Compact // of the user, for when the root's run has ended; nil without one
}

// member is a session in a tree.
type member struct {
	id         SessionID
	spec       Spec // of its first run: what later runs inherit
	latest     RunID
	inbox      Inbox
	savedInbox Inbox
	grants     []grant
	attended   bool // the person who spoke to it looks on
}

// handle is a run with what it needs while it lives.
type handle struct {
	run   *Run // never changed in place: once all is saved, both are one
	saved *Run // without an ID until its spawn is on disk

	ctx    context.Context
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when its end is saved, or given up
	moved  chan struct{} // closed when a parent need no longer wait: detached, overdue
	told   int           // stops under way that will tell the end themselves
	lost   bool          // its end could not be recorded
	// awaited: the parent's model has spoken to it and was promised word of its end.
	awaited bool

	writing writing

	moving, ending *change // what closes moved and done, on its way to the journal
}

func newHandle() *handle {
	h := &handle{run: &Run{}, saved: &Run{}, done: make(chan struct{}), moved: make(chan struct{}), writing: newWriting()}
	h.ctx, h.cancel = context.WithCancelCause(context.Background())
	return h
}

func newTree(root SessionID, seed Spec, loaded Loaded) (*tree, error) {
	t := &tree{
		root: root, seed: seed, seq: loaded.Seq, savedSeq: loaded.Seq,
		members: map[SessionID]*member{}, runs: map[RunID]*handle{},
		trail:    trail{first: loaded.Seq + 1},
		progress: map[RunID]stamped[Progress]{}, unsaved: map[RunID]stamped[Run]{},
		watchers: map[*watcher]struct{}{}, questions: map[QuestionID]chan Answer{},
		reopened: loaded.Seq > 0,
	}
	for _, run := range loaded.Runs {
		h := newHandle()
		h.run, h.saved = &run, &run
		if run.State.Terminal() {
			h.cancel(nil)
			close(h.done)
		}
		t.runs[run.ID] = h
		t.order = append(t.order, run.ID)
		t.enlist(run)
	}
	for _, rec := range loaded.Messages {
		m, ok := t.members[rec.Session]
		if !ok {
			return nil, fmt.Errorf("record %d speaks of session %s, which no run opened", rec.Seq, rec.Session)
		}
		inbox, err := m.inbox.Apply(rec.Event)
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", rec.Seq, err)
		}
		m.inbox, m.savedInbox = inbox, inbox
	}
	t.sweep()
	return t, nil
}

// enlist notes a run with its session. The order of runs is the order of calls.
func (t *tree) enlist(run Run) {
	m, ok := t.members[run.Session]
	if !ok {
		m = &member{id: run.Session, spec: run.Spec}
		t.members[run.Session] = m
	}
	m.latest = run.ID
}

// sweep makes the list of open runs anew.
func (t *tree) sweep() {
	t.open = t.open[:0]
	for _, id := range t.order {
		if t.runs[id].unsettled() {
			t.open = append(t.open, id)
		}
	}
}

// unsettled says that something may still become of the run: it has not ended, or
// its parent is yet to be told of the end. One whose end is not on disk is left to
// the next start.
func (h *handle) unsettled() bool {
	switch {
	case !h.run.State.Terminal():
		return true
	case h.lost:
		return false
	}
	return h.run.Untold()
}

func (t *tree) snapshot() Snapshot {
	snap := Snapshot{Root: t.root, Seq: t.savedSeq, Reopened: t.reopened, Inbox: map[SessionID]Inbox{}}
	for _, id := range t.order {
		if saved := t.runs[id].saved; saved.ID != "" {
			snap.Runs = append(snap.Runs, *saved)
		}
	}
	for id, m := range t.members {
		if len(m.savedInbox) > 0 {
			snap.Inbox[id] = m.savedInbox
		}
	}
	return snap
}
