package lifecycle

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// entry is an event of a run of a session, "root" being the main agent's.
type entry struct {
	session SessionID
	run     RunID
	event   Event
}

// ledgerOf folds some events, a second apart.
func ledgerOf(t tester, entries ...entry) *Ledger {
	l := NewLedger(Snapshot{Root: "root"})
	for i, e := range entries {
		require.NoError(t, l.Apply(Record{
			Seq: Seq(i + 1), Time: time.Unix(int64(i+1), 0), Root: "root", Session: e.session, Run: e.run, Event: e.event,
		}))
	}
	return l
}

func TestALedgerSaysWhatIsInLineAndWhatIsOwed(t *testing.T) {
	parent := []entry{{"root", "p", Spawned{Spec{Root: "root", Trigger: TriggerUser}}}, {"root", "p", Started{}}, {"root", "p", StepStarted{1}}}
	child := func(name string, background bool) entry {
		return entry{SessionID(name), RunID(name), Spawned{Spec{Root: "root", Parent: "root", ParentRun: "p", Background: background}}}
	}
	on := func(name string, event Event) entry { return entry{SessionID(name), RunID(name), event} }
	message := on("a", MessageQueued{Message{ID: "m", From: FromAgent, Text: "?"}})
	idle := entry{"root", "p", Ended{State: StateCompleted, Result: "ok"}}
	byKey := Ended{State: StateCanceledByUser, Cause: CauseKey}
	type want struct {
		live, owed, asked, waiting, woken int
		positions                         map[RunID]int
		wait                              time.Duration
		wakes, unwilling                  bool
	}
	for name, c := range map[string]struct {
		entries []entry
		want    want
	}{
		"nothing has begun": {nil, want{}},
		"each line has its own places": {
			append(parent, child("a", true), on("a", Started{}), child("b", true), on("b", Queued{1}), child("c", false), on("c", Queued{1}), child("d", true), on("d", Queued{2})),
			want{live: 5, positions: map[RunID]int{"a": 0, "b": 1, "c": 1, "d": 2}},
		},
		"who starts leaves the line": {
			append(parent, child("b", true), on("b", Queued{1}), child("d", true), on("d", Queued{2}), on("b", Started{})),
			want{live: 3, positions: map[RunID]int{"b": 0, "d": 1}},
		},
		"an end is owed until it is delivered": {
			append(parent, child("a", true), on("a", Started{}), on("a", Ended{State: StateCompleted, Result: "ok"}), on("a", NotificationQueued{}), idle),
			want{owed: 1, wakes: true},
		},
		"a delivered one is owed no more": {
			append(parent, child("a", true), on("a", Started{}), on("a", Ended{State: StateCompleted, Result: "ok"}), on("a", NotificationQueued{}),
				on("a", NotificationDelivered{InRun: "p", Step: 1}), on("a", Consumed{By: ByNotification, InRun: "p"})),
			want{live: 1},
		},
		"what a person stops is gathered": {
			append(parent, idle, child("a", true), on("a", Started{}), on("a", byKey), on("a", NotificationQueued{})),
			want{owed: 1, wakes: true, wait: gatherFor},
		},
		"what a person began wakes nobody": {
			append(parent, idle, on("a", Spawned{Spec{Root: "root", Parent: "root", Background: true, Trigger: TriggerMessage, From: FromUser}}),
				on("a", Started{}), on("a", Ended{State: StateCompleted, Result: "ok"}), on("a", NotificationQueued{})),
			want{owed: 1},
		},
		"unless the parent has spoken to it": {
			append(parent, on("a", Spawned{Spec{Root: "root", Parent: "root", Background: true, Trigger: TriggerMessage, From: FromUser}}),
				on("a", Started{}), message, idle, on("a", MessageTaken{Message: "m", From: FromAgent, Text: "?"}), on("a", Ended{State: StateCompleted, Result: "ok"}), on("a", NotificationQueued{})),
			want{owed: 1, wakes: true},
		},
		"a message waits, and a question": {
			append(parent, child("a", true), on("a", Started{}), message, on("a", PermissionAsked{Question{ID: "q"}})),
			want{live: 2, waiting: 1, asked: 1},
		},
		"a root that was stopped is unwilling, also behind a summary": {
			append(parent, entry{"root", "p", byKey}, entry{"root", "s", Spawned{Spec{Root: "root", Trigger: TriggerCompact}}}, entry{"root", "s", Started{}}, entry{"root", "s", Ended{State: StateCompleted, Result: "short"}}),
			want{unwilling: true},
		},
		"a root counts its own wakings until its user writes": {
			append(parent, idle, entry{"root", "w", Spawned{Spec{Root: "root", Trigger: TriggerNotification}}}, entry{"root", "w", Started{}}, entry{"root", "w", StepStarted{1}}),
			want{live: 1, woken: 1},
		},
		"a message of its user counts too": {
			append(parent, idle, entry{"root", "w", Spawned{Spec{Root: "root", Trigger: TriggerNotification}}}, entry{"root", "w", Started{}},
				entry{"root", "w", MessageQueued{Message{ID: "m", From: FromUser, Text: "?"}}}),
			want{live: 1},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := ledgerOf(t, c.entries...)
			got := want{
				live: len(l.Live()), owed: len(l.Owed("root")), asked: len(l.Questions()), waiting: len(l.Inbox("a")),
				woken: l.Woken(), unwilling: l.WakeBlocked(),
			}
			got.wait, got.wakes = l.Wakes(time.Unix(int64(len(c.entries)-1), 0))
			for id := range c.want.positions {
				put(&got.positions, id, l.Position(id))
			}
			require.Equal(t, c.want, got)
			later := NewLedger(l.Snapshot())
			got.woken = later.Woken()
			got.wait, got.wakes = later.Wakes(time.Unix(int64(len(c.entries)-1), 0))
			require.Equal(t, c.want, got, "from a snapshot")
		})
	}
}

func TestALedgerTakesARecordOnceAndRefusesWhatCannotBe(t *testing.T) {
	l := ledgerOf(t, entry{"root", "p", Spawned{Spec{Root: "root"}}}, entry{"root", "p", Started{}})
	before := l.Snapshot()
	again := Record{Seq: 2, Root: "root", Session: "root", Run: "p", Event: Started{}}
	require.NoError(t, l.Apply(again))
	require.Equal(t, before, l.Snapshot())
	for _, event := range []Event{Spawned{}, Queued{}} {
		require.Error(t, l.Apply(Record{Seq: 3, Root: "root", Session: "root", Run: "p", Event: event}))
		require.Equal(t, before, l.Snapshot(), "it leaves no trace")
	}
	require.ErrorIs(t, l.Apply(Record{Seq: 3, Root: "root", Session: "root", Run: "x", Event: Ended{State: StateCompleted}}), ErrIllegal)
	require.ErrorIs(t, l.Apply(Record{Seq: 3, Root: "root", Session: "root", Run: "p", Event: MessageTaken{Message: "m"}}), ErrNotWaiting)
	require.Empty(t, l.Inbox("root"))
	require.Equal(t, Seq(3), l.Latest("root").Seq, "what could be read of it stands")
}

func TestARunWhoseEndIsLostIsOwedToNobody(t *testing.T) {
	l := ledgerOf(t, entry{"root", "p", Spawned{Spec{Root: "root"}}}, entry{"a", "a", Spawned{Spec{Root: "root", Parent: "root", Background: true}}})
	run := l.Run("a")
	run.State = StateFailed
	l.Lose(run)
	require.Equal(t, StateFailed, l.Latest("a").State)
	require.Len(t, l.Live(), 1)
	require.Empty(t, l.open[1:], "nothing becomes of it any more")
}

// Who asks what is current reads none of what is over, however much that is.
func TestWhatIsOverIsNotReadAgain(t *testing.T) {
	turn := func(id RunID) []entry {
		return []entry{{"root", id, Spawned{Spec{Root: "root", Trigger: TriggerUser}}}, {"root", id, Started{}}, {"root", id, Ended{State: StateCompleted, Result: "ok"}}}
	}
	entries := slices.Concat(turn("p"), turn("q"), []entry{
		{"a", "a", Spawned{Spec{Root: "root", Parent: "root", Background: true}}},
		{"a", "a", Started{}},
		{"a", "a", Ended{State: StateCompleted, Result: "ok"}},
		{"a", "a", NotificationQueued{}},
	})
	l := ledgerOf(t, entries...)
	require.Equal(t, []RunID{"a"}, l.open, "its parent is yet to be told")
	require.Equal(t, []RunID{"a"}, NewLedger(l.Snapshot()).open, "a snapshot gives the same")
	l = ledgerOf(t, append(entries, entry{"a", "a", NotificationDelivered{InRun: "q", Step: 1}}, entry{"a", "a", Consumed{By: ByNotification, InRun: "q"}})...)
	require.Empty(t, l.open)
}

// answers are what a ledger says of a session. at is the clock.
type answers struct {
	Snapshot
	live, owed, awaited []Run
	working             int
	spent               Usage
	positions           map[RunID]int
	unwilling           bool
}

func (l *Ledger) answers() answers {
	a := answers{
		Snapshot: l.Snapshot(), live: bareRuns(l.Live()), owed: bareRuns(l.Owed(l.root)), awaited: bareRuns(l.Awaited(l.root)),
		working: l.Working(), spent: l.Spent(), positions: map[RunID]int{}, unwilling: l.WakeBlocked(),
	}
	bareRuns(a.Runs)
	a.Woken, a.Spoken = 0, nil // a process that opens the session anew knows nothing of these
	for _, id := range l.order {
		a.positions[id] = l.Position(id)
	}
	return a
}

func bareRuns(runs []Run) []Run {
	for i, run := range runs {
		runs[i] = bare(run)
	}
	return runs
}

// folded says that who folds the log comes to what the supervisor has, from its first
// record or on from a snapshot in its middle.
func (th *harness) folded() {
	whole := NewLedger(Snapshot{Root: root})
	var later *Ledger
	for i, rec := range th.journal.records {
		if i == len(th.journal.records)/2 {
			later = NewLedger(whole.Snapshot())
		}
		require.NoError(th.t, whole.Apply(rec))
		if later != nil {
			require.NoError(th.t, later.Apply(rec))
		}
	}
	th.s.mu.Lock()
	defer th.s.mu.Unlock()
	t := th.s.trees[root]
	saved := t.saved.answers()
	require.Equal(th.t, saved, whole.answers())
	if later != nil {
		require.Equal(th.t, saved, later.answers())
	}
	before := func(owed Run) bool {
		return slices.ContainsFunc(th.earlier, func(run Run) bool { return run.ID == owed.ID })
	}
	if th.reopened || slices.ContainsFunc(t.saved.Owed(root), before) { // no snapshot has what was said to it
		return
	}
	require.Equal(th.t, t.saved.Woken(), whole.Woken())
	wait, wakes := t.saved.Wakes(now())
	folded, folds := whole.Wakes(now())
	require.Equal(th.t, wakes, folds)
	require.Equal(th.t, wait, folded)
	if later != nil {
		require.Equal(th.t, whole.Woken(), later.Woken())
		folded, folds = later.Wakes(now())
		require.Equal(th.t, wakes, folds)
		require.Equal(th.t, wait, folded)
	}
}
