package lifecycle

import (
	"context"
	"fmt"
	"time"
)

// tree is a root session with its subagents: one log, one numbering, one set of
// slots. The supervisor's lock guards every field.
//
// Its ledger stands here twice: as the newest change left it, which decides what may follow, and
// as the journal has it (saved), which is all that anybody outside is ever told.
type tree struct {
	*Ledger
	saved *Ledger
	seed  Spec // what the root's runs are started with

	members map[SessionID]*member
	runs    map[RunID]*handle // but for those that have settled: see handle

	trail    trail
	progress map[RunID]stamped[Progress]
	unsaved  map[RunID]stamped[Run]
	fault    string
	stamp    int64 // grows with every progress, fault and unsaved run
	watchers map[*watcher]struct{}

	questions map[QuestionID]chan Answer

	copied   Seq  // the last record of the session that this one was forked from
	reopened bool // from the store, and the user has not written since
	held     bool // the user stopped everything, and has not written since

	gathering *time.Timer // wakes the parent for ends that a person has caused; nil before the first
	waking    bool        // the parent is about to be woken

	unsent []*unsent // in the order in which they came

	pendingCompact *Compact // of the user, for when the root's run has ended; nil without one
}

// member is a session in a tree.
type member struct {
	id        SessionID
	parent    SessionID
	call      CallID // that started it, in this run of the parent: later runs stand on it too
	parentRun RunID
	users     bool // a command of the user's own
	grants    []StandingGrant
	attended  bool // the person who wrote to it still looks at it
}

// handle is a run with what it needs while it lives.
type handle struct {
	run   *Run // never changed in place: once all is saved, both are one
	saved *Run // without an ID until its spawn is on disk

	ctx    context.Context
	cancel context.CancelCauseFunc
	done   chan struct{}  // closed when its end is saved, or given up
	moved  chan struct{}  // closed when a parent need no longer wait: detached, overdue
	told   int            // stops under way that will tell the end themselves
	kept   bool           // it works elsewhere since before this process opened its session
	open   []openQuestion // of a kept run: asked before, and not asked again yet
	lost   bool           // its end could not be recorded

	writing writing

	moving, ending *change // what closes moved and done, on its way to the journal
	served         *change // for the newest request of the run's process elsewhere
}

func newHandle() *handle {
	h := &handle{
		run: &Run{}, saved: &Run{}, done: make(chan struct{}), moved: make(chan struct{}),
		writing: writing{last: map[string]time.Time{}, warned: map[overlap]bool{}},
	}
	h.ctx, h.cancel = context.WithCancelCause(context.Background())
	return h
}

// handleOf is the handle of a run from before.
func handleOf(run, saved *Run) *handle {
	h := newHandle()
	h.run, h.saved = run, saved
	if run.State.Terminal() {
		h.cancel(nil)
		close(h.done)
	}
	return h
}

// handle is that of a run; nil if there is no such run. What an ended run needed while it lived is let go
// once its parent was told (letGo), so that a session may have any number of them: what is asked of it
// later is answered by a handle that is made for that.
func (t *tree) handle(id RunID) *handle {
	h, kept := t.runs[id]
	if run := t.get(id); !kept && run.ID != "" {
		h = handleOf(run, t.saved.get(id))
	}
	return h
}

// letGo forgets what a run needed while it lived, if it has settled and all of it is saved.
func (t *tree) letGo(h *handle) {
	if t.runs[h.run.ID] == h && h.run == h.saved && !h.lost && h.told == 0 && !t.unsettled(h.run) {
		delete(t.runs, h.run.ID)
	}
}

// current is a run as others may see it.
func (t *tree) current(id RunID) Run {
	if h, kept := t.runs[id]; kept {
		return h.current()
	}
	return t.saved.Run(id)
}

func newTree(root SessionID, seed Spec, loaded Loaded) (*tree, error) {
	t := &tree{
		Ledger: NewLedger(Snapshot{Root: root, Seq: loaded.Seq, Runs: loaded.Runs}), seed: seed,
		members: map[SessionID]*member{}, runs: map[RunID]*handle{},
		trail:    trail{first: loaded.Seq + 1},
		progress: map[RunID]stamped[Progress]{}, unsaved: map[RunID]stamped[Run]{},
		watchers: map[*watcher]struct{}{}, questions: map[QuestionID]chan Answer{},
		reopened: loaded.Seq > 0, copied: loaded.Copied,
	}
	for _, id := range t.order {
		run := t.get(id)
		if t.unsettled(run) {
			t.runs[id] = handleOf(run, run)
		}
		t.join(*run)
	}
	for _, rec := range loaded.Messages {
		if t.members[rec.Session] == nil {
			return nil, fmt.Errorf("record %d speaks of session %s, which no run opened", rec.Seq, rec.Session)
		}
		if err := t.Queue(rec); err != nil {
			return nil, fmt.Errorf("record %d: %w", rec.Seq, err)
		}
	}
	t.saved = t.clone()
	return t, nil
}

// join notes the session of a run.
func (t *tree) join(run Run) {
	if t.members[run.Session] == nil {
		t.members[run.Session] = &member{id: run.Session, parent: run.Parent, call: run.Call, parentRun: run.ParentRun, users: run.UserShell()}
	}
}
