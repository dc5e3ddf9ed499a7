package ui

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/transcript"
)

// answered is a turn of the root that is over.
func (s *screen) answered(turn int, text string) {
	run := lifecycle.RunID(fmt.Sprint("turn ", turn))
	s.takeUpdates(lifecycle.Updates{Records: s.records(root, run,
		lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: fmt.Sprint("question ", turn), From: lifecycle.FromUser}},
		lifecycle.Started{}, lifecycle.StepStarted{Step: 1}, lifecycle.Text{Text: text},
		lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 100, OutputTokens: 20}}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: text})})
}

// Each end leaves what a frame reads, and is back in it for as long as somebody has to be
// told.
func TestWhatIsCurrentIsWhatLivesOrIsToBeTold(t *testing.T) {
	s := newScreen(t, 80, 24)
	for turn := range 20 {
		s.answered(turn, "Done.")
	}
	require.Empty(t, s.runs.Live())
	s.ask("go")
	for _, name := range []string{"one", "two"} {
		s.delegate(name, true)
	}
	s.log("two", "run two", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: "two", Run: "run two", Tool: "shell", Subject: "ls"}})
	stands := func(live, owed int) {
		t.Helper()
		require.Len(t, s.runs.Live(), live)
		require.Equal(t, live, s.runs.Working())
		require.Len(t, s.runs.Owed(root), owed)
	}
	stands(3, 0)
	s.end("one", "run one", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	stands(2, 0)
	s.log("one", "run one", lifecycle.NotificationQueued{})
	stands(2, 1)
	require.Len(t, s.runs.Questions(), 1)
	s.log("one", "run one", lifecycle.NotificationDelivered{InRun: "r1", Step: 1})
	stands(2, 0)
	told := s.runs.Told("r1", 1)
	require.Len(t, told, 1)
	require.Equal(t, lifecycle.RunID("run one"), told[0].ID)
	require.Empty(t, s.runs.Told("r1", 2))
	s.log("two", "run two", lifecycle.UsageReported{Usage: lifecycle.Usage{OutputTokens: 7}})
	require.Equal(t, int64(20*120+7), s.runs.Spent().Tokens())

	again := transcript.NewRuns(s.runs.Snapshot())
	require.Equal(t, s.runs.Live(), again.Live(), "a snapshot gives the same")
	require.Equal(t, s.runs.Spent(), again.Spent())
	require.Len(t, again.Told("r1", 1), 1)
}
