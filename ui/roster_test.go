package ui

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// answered is a turn of the root that is over.
func (s *screen) answered(turn int, text string) {
	run := lifecycle.RunID(fmt.Sprint("turn ", turn))
	s.take(lifecycle.Updates{Records: s.records(root, run,
		lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: fmt.Sprint("question ", turn), From: lifecycle.FromUser}},
		lifecycle.Started{}, lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: text},
		lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 100, OutputTokens: 20}}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: text})})
}

// A frame reads what is current alone, however much is over: each end leaves it, and is
// back in it for as long as somebody has to be told.
func TestWhatIsOverIsNotReadAgainForEachFrame(t *testing.T) {
	s := newScreen(t, 80, 24)
	for turn := range 20 {
		s.answered(turn, "Done.")
	}
	require.Empty(t, s.runs.current)
	s.ask("go")
	for _, name := range []string{"one", "two"} {
		s.delegate(name, true)
	}
	s.log("two", "run two", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: "two", Run: "run two", Tool: "shell", Subject: "ls"}})
	stands := func(current int, live, owed int) {
		t.Helper()
		require.Len(t, s.runs.current, current)
		require.Len(t, s.runs.live(), live)
		require.Equal(t, owed, s.runs.owed())
	}
	stands(3, 3, 0)
	s.end("one", "run one", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	stands(2, 2, 0)
	s.log("one", "run one", lifecycle.NotificationQueued{})
	stands(3, 2, 1)
	require.Len(t, s.runs.questions(), 1)
	s.log("one", "run one", lifecycle.NotificationDelivered{InRun: "r1", Step: 1})
	stands(2, 2, 0)
	told := s.runs.told("r1", 1)
	require.Len(t, told, 1)
	require.Equal(t, lifecycle.RunID("run one"), told[0].ID)
	require.Empty(t, s.runs.told("r1", 2))
	s.log("two", "run two", lifecycle.UsageReported{Usage: lifecycle.Usage{OutputTokens: 7}})
	require.Equal(t, int64(20*120+7), s.runs.spent().Tokens())

	again := newRoster(lifecycle.Snapshot{Root: root, Runs: s.runs.all()})
	require.True(t, slices.Equal(s.runs.current, again.current), "a snapshot gives the same")
	require.Equal(t, s.runs.spent(), again.spent())
	require.Len(t, again.told("r1", 1), 1)
}
