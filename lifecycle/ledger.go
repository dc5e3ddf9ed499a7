package lifecycle

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
)

// Ledger is the fold of the log of one root session: its runs in their order, the messages
// that wait for them, and what follows from both: which runs are queued, which ones a parent
// waits for, which ends it must still be told, and whether these wake it. The supervisor, the
// front ends and the exports all use it, so that they agree.
//
// It takes the records of one log in order, from the first or from a snapshot on. It has no
// lock and no clock: one goroutine uses it. The runs that it returns are values.
type Ledger struct {
	root    SessionID
	seq     Seq // of the newest record
	runs    map[RunID]*Run
	order   []RunID // as spawned
	open    []RunID // of these, the unsettled
	latest  map[SessionID]RunID
	inboxes map[SessionID]Inbox
	spoken  map[RunID]bool // the parent's model has written to it, and was promised a notification
	lost    map[RunID]bool // their ends could not be recorded
	asides  []string       // what the root's model is told at its next step or at the end of its run
	woken   int            // times the root woke itself since its user wrote
	spent   Usage          // of all runs, where summed says so
	summed  bool

	// A draft sees what is in its base where it has nothing of its own. Its order has the runs
	// that were spawned in it alone, and open nothing.
	base    *Ledger
	touched []RunID // of a draft: its runs, as first touched
}

// NewLedger is a session as a snapshot has it. The snapshot's runs are copied.
func NewLedger(s Snapshot) *Ledger {
	l := &Ledger{
		root: s.Root, seq: s.Seq, runs: make(map[RunID]*Run, len(s.Runs)), latest: map[SessionID]RunID{},
		inboxes: map[SessionID]Inbox{}, spoken: map[RunID]bool{}, lost: map[RunID]bool{}, woken: s.Woken,
	}
	for _, run := range s.Runs {
		l.runs[run.ID] = &run
		l.enlist(&run)
	}
	maps.Copy(l.inboxes, s.Inbox)
	for _, id := range s.Spoken {
		l.spoken[id] = true
	}
	return l
}

// Apply takes in the next record. One that it has already changes nothing. One that its run
// cannot have is an error and changes nothing. One that names a message which does not wait
// is an error too (ErrNotWaiting): it changes its run, but no queue.
func (l *Ledger) Apply(rec Record) error {
	run, own := l.runs[rec.Run]
	if !own {
		run = &Run{}
		if l.base != nil {
			*run = *l.base.get(rec.Run)
		}
	}
	if l.base == nil && run.ID != "" && rec.Seq <= run.Seq {
		return nil
	}
	if err := run.admits(rec); err != nil {
		return fmt.Errorf("record %s of run %s: %w", Name(rec.Event), rec.Run, err)
	}
	before := run.Usage
	run.fold(rec)
	l.seq, l.summed = rec.Seq, l.summed && run.Usage == before
	if !own {
		l.runs[rec.Run] = run
		if l.base != nil {
			l.touched = append(l.touched, rec.Run)
		}
	}
	switch e := rec.Event.(type) {
	case Spawned:
		l.enlist(run)
		l.wakes(rec.Session, e.Trigger)
	case Ended, Consumed, NotificationDelivered, NotificationWithdrawn:
		l.settle(run)
	case MessageQueued:
		if rec.Session == l.root {
			l.woken = 0
		}
	default: // the run alone has changed, or a queue
	}
	l.hear(rec)
	return l.Queue(rec)
}

// Queue takes in only what a record says of messages, for a ledger whose snapshot had none of them.
func (l *Ledger) Queue(rec Record) error {
	switch e := rec.Event.(type) {
	case MessageQueued:
		if e.From == FromAgent {
			put(&l.spoken, rec.Run, true)
		}
	case MessageEdited, MessageMoved, MessageTaken, MessageWithdrawn:
	default:
		return nil
	}
	inbox, err := l.Inbox(rec.Session).Apply(rec.Event)
	if err == nil {
		put(&l.inboxes, rec.Session, inbox)
	}
	return err
}

func (l *Ledger) enlist(run *Run) {
	l.order = append(l.order, run.ID)
	put(&l.latest, run.Session, run.ID)
	if l.base == nil && l.unsettled(run) {
		l.open = append(l.open, run.ID)
	}
}

// put sets an entry of a map that a draft may not have made yet.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

// settle removes a run from the list of the unsettled, if it is settled.
func (l *Ledger) settle(run *Run) {
	if l.unsettled(run) {
		return
	}
	if i := slices.Index(l.open, run.ID); i >= 0 {
		l.open = slices.Delete(l.open, i, i+1)
	}
}

// unsettled reports whether the run may still change: it has not ended, or its parent is still
// to be told of the end. A run whose end is not on disk is left to the next start.
func (l *Ledger) unsettled(run *Run) bool {
	return !run.State.Terminal() || !l.lost[run.ID] && run.Untold()
}

// Lose takes in a run whose end could not be recorded, as it ended. It gets no more records.
func (l *Ledger) Lose(run Run) {
	if l.runs[run.ID] == nil {
		l.enlist(&run)
	}
	l.runs[run.ID], l.lost[run.ID], l.summed = &run, true, false
	l.settle(&run)
}

// Lost reports whether the end of a run could not be recorded.
func (l *Ledger) Lost(id RunID) bool { return l.lost[id] }

// Root is the session whose log this is.
func (l *Ledger) Root() SessionID { return l.root }

// Seq is the number of the newest record.
func (l *Ledger) Seq() Seq { return l.seq }

// Run is one run; the zero Run if there is none.
func (l *Ledger) Run(id RunID) Run { return *l.get(id) }

// Latest is the newest run of a session; the zero Run if it has none.
func (l *Ledger) Latest(session SessionID) Run {
	if id, own := l.latest[session]; own {
		return *l.get(id)
	}
	if l.base != nil {
		return *l.get(l.base.latest[session])
	}
	return Run{}
}

// Runs are all of them, in the order of spawning.
func (l *Ledger) Runs() iter.Seq[Run] {
	return func(yield func(Run) bool) {
		for _, id := range l.order {
			if !yield(*l.runs[id]) {
				return
			}
		}
	}
}

// Live lists the runs that have not ended, in the order of spawning.
func (l *Ledger) Live() []Run {
	return l.currentIf(func(run *Run) bool { return !run.State.Terminal() })
}

func (l *Ledger) currentIf(match func(*Run) bool) []Run {
	var matching []Run
	for run := range l.current() {
		if match(run) {
			matching = append(matching, *run)
		}
	}
	return matching
}

// Working is how many runs have not ended.
func (l *Ledger) Working() int {
	n := 0
	for run := range l.current() {
		if !run.State.Terminal() {
			n++
		}
	}
	return n
}

// Awaited lists the runs that tool calls of a session wait for, in the order of spawning.
func (l *Ledger) Awaited(parent SessionID) []Run {
	return l.currentIf(func(run *Run) bool { return run.Parent == parent && run.Awaited() })
}

// Inbox is what waits for a session, oldest first.
func (l *Ledger) Inbox(session SessionID) Inbox {
	if inbox, own := l.inboxes[session]; own || l.base == nil {
		return inbox
	}
	return l.base.inboxes[session]
}

// Questions lists the open questions, those of the oldest run first.
func (l *Ledger) Questions() []Question {
	var asked []Question
	for run := range l.current() {
		asked = append(asked, run.Asked...)
	}
	return asked
}

// Spent is what the whole session has used, subagents included.
func (l *Ledger) Spent() Usage {
	if !l.summed {
		l.spent, l.summed = Usage{}, true
		for _, id := range l.order {
			l.spent = l.spent.Add(l.runs[id].Usage)
		}
	}
	return l.spent
}

// Owed lists the runs whose ends a session has still to be told, in the order of these ends.
func (l *Ledger) Owed(session SessionID) []Run {
	owed := l.currentIf(func(run *Run) bool { return run.Parent == session && run.Notification.Pending() })
	// By the number of the last record, that of the notification, which no clock can put back.
	slices.SortFunc(owed, func(a, b Run) int { return cmp.Compare(a.Seq, b.Seq) })
	return owed
}

// Snapshot is the session as it stands.
func (l *Ledger) Snapshot() Snapshot {
	s := Snapshot{Root: l.root, Seq: l.seq, Runs: slices.AppendSeq(make([]Run, 0, len(l.order)), l.Runs()), Inbox: map[SessionID]Inbox{}, Woken: l.woken}
	for session, inbox := range l.inboxes {
		if len(inbox) > 0 {
			s.Inbox[session] = inbox
		}
	}
	for _, id := range l.open {
		if l.spoken[id] {
			s.Spoken = append(s.Spoken, id)
		}
	}
	return s
}
