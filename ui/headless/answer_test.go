package headless

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// ended is a ledger of a parent and its subagents that ended like this.
func ended(t *testing.T, parent lifecycle.State, children ...lifecycle.State) *ledger {
	t.Helper()
	l := newLedger(lifecycle.Snapshot{Root: "root"})
	seq := lifecycle.Seq(0)
	add := func(session lifecycle.SessionID, run lifecycle.RunID, spec lifecycle.Spec, state lifecycle.State) {
		for _, event := range []lifecycle.Event{lifecycle.Spawned{Spec: spec}, lifecycle.Started{}, lifecycle.Ended{State: state}} {
			if e, ok := event.(lifecycle.Ended); ok && !e.State.Terminal() {
				continue
			}
			seq++
			rec := lifecycle.Record{Seq: seq, Root: "root", Session: session, Run: run, Event: event}
			_, err := l.fold(lifecycle.Updates{Records: []lifecycle.Record{rec}})
			require.NoError(t, err)
		}
	}
	add("root", "r", lifecycle.Spec{Root: "root"}, parent)
	for i, state := range children {
		id := string(rune('a' + i))
		add(lifecycle.SessionID(id), lifecycle.RunID(id), lifecycle.Spec{Root: "root", Parent: "root", Background: true}, state)
	}
	return l
}

func TestTheExitCodeTellsTheTruth(t *testing.T) {
	const (
		completed = lifecycle.StateCompleted
		empty     = lifecycle.StateCompletedEmpty
		failed    = lifecycle.StateFailed
		byUser    = lifecycle.StateCanceledByUser
		byAgent   = lifecycle.StateCanceledByAgent
		cut       = lifecycle.StateInterrupted
		running   = lifecycle.StateRunning
	)
	for name, row := range map[string]struct {
		signal   int
		parent   lifecycle.State
		children []lifecycle.State
		want     int
	}{
		"done":                             {parent: completed, want: 0},
		"done with its subagents":          {parent: completed, children: []lifecycle.State{completed, byAgent}, want: 0},
		"the parent failed":                {parent: failed, want: 1},
		"the parent ended empty":           {parent: empty, want: 1},
		"the main agent was stopped":       {parent: byUser, want: 1},
		"a subagent failed":                {parent: completed, children: []lifecycle.State{completed, failed}, want: 3},
		"a subagent was empty":             {parent: completed, children: []lifecycle.State{empty}, want: 3},
		"a subagent was stopped by hand":   {parent: completed, children: []lifecycle.State{byUser}, want: 3},
		"a subagent was cut off":           {parent: completed, children: []lifecycle.State{cut}, want: 3},
		"a subagent was left behind":       {parent: completed, children: []lifecycle.State{running}, want: 3},
		"the parent goes before its child": {parent: failed, children: []lifecycle.State{failed}, want: 1},
		"a signal goes before all":         {signal: ExitSIGINT, parent: failed, children: []lifecycle.State{failed}, want: 130},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, row.want, conclude(ended(t, row.parent, row.children...), row.signal).ExitCode)
		})
	}
}

func TestOnlyTheNewestRunOfASubagentCounts(t *testing.T) {
	l := ended(t, lifecycle.StateCompleted, lifecycle.StateFailed)
	seq := l.Run("a").Seq
	for i, event := range []lifecycle.Event{
		lifecycle.Spawned{Spec: lifecycle.Spec{Root: "root", Parent: "root", Background: true}},
		lifecycle.Started{},
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: "mended"},
	} {
		rec := lifecycle.Record{Seq: seq + lifecycle.Seq(i) + 1, Session: "a", Run: "a2", Event: event}
		_, err := l.fold(lifecycle.Updates{Records: []lifecycle.Record{rec}})
		require.NoError(t, err)
	}
	a := conclude(l, 0)
	require.Equal(t, ExitDone, a.ExitCode)
	require.Len(t, a.Subagents, 1)
	require.Equal(t, "mended", a.Subagents[0].Output)
}

// The parts add up to the whole: a subagent that was woken again has cost both.
func TestWhatSubagentsCostAddsUp(t *testing.T) {
	l := newLedger(lifecycle.Snapshot{Root: "root"})
	for _, run := range []lifecycle.Run{
		{ID: "r", Session: "root", Usage: lifecycle.Usage{Cost: 1}},
		{ID: "a1", Session: "a", Spec: lifecycle.Spec{Parent: "root"}, Usage: lifecycle.Usage{Cost: 2, InputTokens: 10}},
		{ID: "b1", Session: "b", Spec: lifecycle.Spec{Parent: "root"}, Usage: lifecycle.Usage{Cost: 4}},
		{ID: "a2", Session: "a", Spec: lifecycle.Spec{Parent: "root"}, Usage: lifecycle.Usage{Cost: 8, InputTokens: 5}},
	} {
		run.State = lifecycle.StateCompleted
		l.Lose(run)
	}
	a := conclude(l, 0)
	require.Len(t, a.Subagents, 2)
	require.Equal(t, lifecycle.RunID("a2"), a.Subagents[0].Run)
	require.Equal(t, lifecycle.Usage{Cost: 10, InputTokens: 15}, a.Subagents[0].Usage)
	require.InDelta(t, 4.0, a.Subagents[1].Usage.Cost, 0)
	require.InDelta(t, 15.0, a.Usage.Cost, 0)
}

func TestWhatEndedBeforeThePromptIsNoneOfItsWorries(t *testing.T) {
	old := lifecycle.Run{ID: "old", Session: "a", Spec: lifecycle.Spec{Parent: "root"}, State: lifecycle.StateFailed, Usage: lifecycle.Usage{Cost: 9}}
	l := newLedger(lifecycle.Snapshot{Root: "root", Runs: []lifecycle.Run{old}})
	l.Lose(lifecycle.Run{ID: "r", Session: "root", State: lifecycle.StateCompleted, Usage: lifecycle.Usage{Cost: 1}})
	a := conclude(l, 0)
	require.Equal(t, ExitDone, a.ExitCode)
	require.InDelta(t, 1.0, a.Usage.Cost, 0)
}
