package lifecycle

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// samples is one event of each name, as a background subagent's run could have it.
func samples() []Event {
	return []Event{
		Spawned{Spec{Root: "root", Parent: "root", Background: true}},
		Queued{1},
		Started{},
		StepStarted{1},
		Waiting{Why: "rate limited"},
		Text{"hello"},
		Thinking{"hm"},
		ToolStarted{Call: "c1", Tool: "read"},
		ToolEnded{Call: "c1", Tool: "read", Status: ToolOK},
		Searched{Query: "go"},
		PermissionAsked{Question{ID: "q1"}},
		PermissionGranted{Question: "q1"},
		PermissionDenied{Question: "q1"},
		MessageQueued{Message{ID: "m1"}},
		MessageEdited{Message: "m1"},
		MessageMoved{Message: "m1"},
		MessageTaken{Message: "m1"},
		MessageWithdrawn{Message: "m1"},
		Warned{Kind: WarnSilence},
		Nudged{},
		Overdue{After: time.Minute},
		Detached{},
		Compacted{},
		UsageReported{Usage: Usage{InputTokens: 1}},
		StopRequested{Cause: CauseKey},
		Ended{State: StateCompleted, Result: "done"},
		NotificationQueued{},
		NotificationDelivered{},
		NotificationWithdrawn{},
		Consumed{By: ByNotification},
		FilesChanged{Call: "c1", By: ChangedByTool, Folder: "/src", Files: []FileChange{{Path: "a.go", After: FileState{Kind: FileRegular, Hash: "00", Size: 1, Mode: 0o644}}}},
		Landed{Operation: "o1", Folder: "/src"},
		Rewound{Operation: "o2", To: 1},
		Placed{Worker: "w1", Machine: "oak", Attempt: 1},
	}
}

// runIn makes a background subagent's run in this state; "" is none yet.
func runIn(t *testing.T, state State) Run {
	t.Helper()
	spawned := Spawned{Spec{Root: "root", Parent: "root", Background: true, Isolation: IsolationRemote}}
	switch state {
	case "":
		return Run{}
	case StateQueued:
		return runOf(t, spawned)
	case StateRunning:
		return runOf(t, spawned, Started{})
	default:
		return runOf(t, spawned, Started{}, Ended{State: state})
	}
}

// runOf folds these events, one a second.
func runOf(t *testing.T, events ...Event) (run Run) {
	t.Helper()
	for i, event := range events {
		var err error
		run, err = run.Apply(Record{Seq: Seq(i + 1), Session: "child", Run: "r1", Event: event, Time: time.Unix(int64(i+1), 0)})
		require.NoError(t, err)
	}
	return run
}

// verdictOf says in a word what Apply makes of an event in a state.
func verdictOf(run Run, event Event) string {
	next, err := run.Apply(Record{Seq: run.Seq + 1, Session: "child", Run: "r1", Event: event, Time: time.Unix(99, 0)})
	switch {
	case errors.Is(err, ErrEnded):
		return "no-op"
	case errors.Is(err, ErrIllegal):
		return "illegal"
	case err != nil:
		return err.Error()
	}
	if next.State == run.State {
		return "ok"
	}
	return string(next.State)
}

func TestEveryEventInEveryState(t *testing.T) {
	// Columns: no run yet, queued, running, and each of the six ends, which are alike.
	table := map[string][4]string{
		"spawned":                {"queued", "illegal", "illegal", "illegal"},
		"queued":                 {"illegal", "ok", "illegal", "no-op"},
		"started":                {"illegal", "running", "illegal", "no-op"},
		"step_started":           {"illegal", "illegal", "ok", "no-op"},
		"waiting":                {"illegal", "illegal", "ok", "no-op"},
		"text":                   {"illegal", "illegal", "ok", "no-op"},
		"thinking":               {"illegal", "illegal", "ok", "no-op"},
		"tool_started":           {"illegal", "illegal", "ok", "no-op"},
		"tool_ended":             {"illegal", "illegal", "ok", "no-op"},
		"searched":               {"illegal", "illegal", "ok", "no-op"},
		"permission_asked":       {"illegal", "illegal", "ok", "no-op"},
		"permission_granted":     {"illegal", "ok", "ok", "no-op"},
		"permission_denied":      {"illegal", "ok", "ok", "no-op"},
		"message_queued":         {"illegal", "ok", "ok", "no-op"},
		"message_edited":         {"illegal", "ok", "ok", "no-op"},
		"message_moved":          {"illegal", "ok", "ok", "no-op"},
		"message_taken":          {"illegal", "illegal", "ok", "no-op"},
		"message_withdrawn":      {"illegal", "ok", "ok", "no-op"},
		"warned":                 {"illegal", "ok", "ok", "no-op"},
		"nudged":                 {"illegal", "illegal", "ok", "no-op"},
		"overdue":                {"illegal", "ok", "ok", "no-op"},
		"detached":               {"illegal", "ok", "ok", "no-op"},
		"compacted":              {"illegal", "illegal", "ok", "no-op"},
		"usage":                  {"illegal", "illegal", "ok", "no-op"},
		"stop_requested":         {"illegal", "ok", "ok", "no-op"},
		"ended":                  {"illegal", "illegal", "completed", "no-op"},
		"notification_queued":    {"illegal", "illegal", "illegal", "ok"},
		"notification_delivered": {"illegal", "illegal", "illegal", "illegal"}, // none was queued
		"notification_withdrawn": {"illegal", "illegal", "illegal", "illegal"},
		"consumed":               {"illegal", "illegal", "illegal", "ok"},
		"files_changed":          {"illegal", "ok", "ok", "ok"},
		"landed":                 {"illegal", "ok", "ok", "ok"},
		"rewound":                {"illegal", "ok", "ok", "ok"},
		"placed":                 {"illegal", "illegal", "ok", "no-op"},
	}
	require.Len(t, table, len(EventNames()), "every event has its row")
	for _, event := range samples() {
		row, ok := table[Name(event)]
		require.True(t, ok, Name(event))
		for i, state := range append([]State{""}, States()...) {
			want := row[min(i, 3)]
			if state == StateCompletedEmpty || state.Terminal() {
				want = row[3]
			}
			t.Run(fmt.Sprintf("%s/%s", Name(event), string(state)), func(t *testing.T) {
				require.Equal(t, want, verdictOf(runIn(t, state), event))
			})
		}
	}
}

func TestEveryEndFromEveryOpenState(t *testing.T) {
	for _, end := range States() {
		want := map[State]string{StateQueued: "illegal", StateRunning: "illegal"}
		if end.Terminal() {
			want[StateRunning] = string(end)
			want[StateQueued] = string(end)
		}
		if end == StateCompleted || end == StateCompletedEmpty {
			want[StateQueued] = "illegal" // nobody worked on it
		}
		for state, word := range want {
			require.Equal(t, word, verdictOf(runIn(t, state), Ended{State: end}), "%s to %s", state, end)
		}
	}
}

func TestTheFirstEndStands(t *testing.T) {
	for _, state := range States() {
		if !state.Terminal() {
			continue
		}
		run := runIn(t, state)
		next, err := run.Apply(Record{Seq: run.Seq + 1, Run: "r1", Event: Ended{State: StateFailed, Error: &Failure{Kind: FailTool}}})
		require.ErrorIs(t, err, ErrEnded)
		require.Equal(t, run, next, "a refused record leaves the run as it was")
	}
}

func TestANotificationIsQueuedOnceAndSettledOnce(t *testing.T) {
	run := runIn(t, StateCompleted)
	step := func(event Event) error {
		next, err := run.Apply(Record{Seq: run.Seq + 1, Session: "child", Run: "r1", Event: event})
		run = next
		return err
	}
	require.NoError(t, step(NotificationQueued{}))
	require.ErrorIs(t, step(NotificationQueued{}), ErrIllegal)
	require.NoError(t, step(NotificationDelivered{InRun: "p", Step: 2}))
	require.ErrorIs(t, step(NotificationDelivered{}), ErrIllegal)
	require.ErrorIs(t, step(NotificationWithdrawn{}), ErrIllegal)
	require.NoError(t, step(Consumed{By: ByNotification}))
	require.ErrorIs(t, step(Consumed{By: ByAgentOutput}), ErrIllegal)
}

func TestARootOwesNobodyWord(t *testing.T) {
	run := runOf(t, Spawned{Spec{Root: "root"}}, Started{}, Ended{State: StateCompleted, Result: "x"})
	_, err := run.Apply(Record{Seq: 9, Run: "r1", Event: NotificationQueued{}})
	require.ErrorIs(t, err, ErrIllegal)
}

func TestAnEndThatWasToldOwesNoFurtherWord(t *testing.T) {
	run := runOf(t, Spawned{Spec{Root: "root", Parent: "root"}}, Started{}, Ended{State: StateCompleted, Result: "x"}, Consumed{By: ByToolResult})
	_, err := run.Apply(Record{Seq: 9, Run: "r1", Event: NotificationQueued{}})
	require.ErrorIs(t, err, ErrIllegal)
}

func TestApplyNeverChangesTheRunItIsCalledOn(t *testing.T) {
	run := runIn(t, StateRunning)
	first, err := run.Apply(Record{Seq: run.Seq + 1, Run: "r1", Event: ToolStarted{Call: "a", Tool: "read"}})
	require.NoError(t, err)
	left, err := first.Apply(Record{Seq: first.Seq + 1, Run: "r1", Event: ToolStarted{Call: "b", Tool: "grep"}})
	require.NoError(t, err)
	right, err := first.Apply(Record{Seq: first.Seq + 1, Run: "r1", Event: ToolStarted{Call: "c", Tool: "glob"}})
	require.NoError(t, err)
	require.Len(t, first.Tools, 1)
	require.Equal(t, CallID("b"), left.Tools[1].Call)
	require.Equal(t, CallID("c"), right.Tools[1].Call)
}

func TestTextOfTheOpenStepReplacesThatOfEarlierOnes(t *testing.T) {
	run := runIn(t, StateRunning)
	for _, event := range []Event{
		StepStarted{1}, Text{"I will "}, Text{"look."}, StepStarted{2},
	} {
		var err error
		run, err = run.Apply(Record{Seq: run.Seq + 1, Run: "r1", Event: event})
		require.NoError(t, err)
	}
	require.Equal(t, "I will look.", run.Partial, "a silent step keeps the last thing said")
	run, err := run.Apply(Record{Seq: run.Seq + 1, Run: "r1", Event: Text{"Found"}})
	require.NoError(t, err)
	require.Equal(t, "Found", run.Partial)
	run, err = run.Apply(Record{Seq: run.Seq + 1, Run: "r1", Event: Waiting{Why: "retry", Discarded: true}})
	require.NoError(t, err)
	require.Empty(t, run.Partial, "a discarded attempt leaves no text")
}

func TestElapsedIsNeverNegative(t *testing.T) {
	late, early := time.Unix(100, 0), time.Unix(10, 0)
	run, err := Run{}.Apply(Record{Seq: 1, Run: "r1", Event: Spawned{}, Time: late})
	require.NoError(t, err)
	require.Zero(t, run.Elapsed(early), "the clock was put back while it runs")
	for _, end := range []Ended{{State: StateFailed}, {State: StateInterrupted, Cause: CauseProcessEnd, Found: true}} {
		ended, err := run.Apply(Record{Seq: 2, Run: "r1", Event: end, Time: early})
		require.NoError(t, err)
		require.Zero(t, ended.Elapsed(time.Unix(999, 0)), "or before its end")
	}
}

func TestARunOfAnOlderDatabaseTookUntilItsEnd(t *testing.T) {
	run := Run{State: StateInterrupted, Cause: CauseProcessEnd, SpawnedAt: time.Unix(1, 0), EndedAt: time.Unix(5, 0)}
	require.Equal(t, 4*time.Second, run.Elapsed(time.Unix(999, 0)), "it does not say when it was heard of")
}
