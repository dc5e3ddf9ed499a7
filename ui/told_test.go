package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// Several ends that the model was told of at one step are one line, which opens.
func TestSeveralEndsInARowAreOneLineThatOpens(t *testing.T) {
	s := newScreen(t, 100, 40)
	s.ask("go")
	names := []string{"one", "two", "three", "four", "five"}
	for _, name := range names {
		s.delegate(name, true)
		s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"}, lifecycle.NotificationQueued{})
	}
	told := func(step int, names ...string) {
		records := s.records(root, "r1", lifecycle.StepStarted{Step: step})
		for _, name := range names {
			records = append(records, s.records(lifecycle.SessionID(name), lifecycle.RunID("run "+name),
				lifecycle.NotificationDelivered{InRun: "r1", Step: step}, lifecycle.Consumed{By: lifecycle.ByNotification, InRun: "r1"})...)
		}
		s.send(lifecycle.Updates{Records: records})
	}
	told(2, names...)
	require.Contains(t, s.text(), "◂ 5 subagents completed · delivered · step 2")
	require.NotContains(t, s.text(), `Agent "three"`)
	s.clickOn("◂ 5 subagents")
	require.Contains(t, s.text(), `    Agent "three" completed · delivered · step 2`)
	s.clickOn("◂ 5 subagents")
	require.NotContains(t, s.text(), `Agent "three"`)

	s.delegate("six", true)
	s.delegate("seven", true)
	s.log("six", "run six", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "gone"}}, lifecycle.NotificationQueued{})
	s.log("seven", "run seven", lifecycle.PermissionDenied{Tool: "shell", Subject: "ls", By: "nobody"}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"}, lifecycle.NotificationQueued{})
	told(3, "six", "seven")
	require.Contains(t, s.text(), "◂ 2 subagents ended · 1 failed · 1 completed · 1 denied · delivered · step 3")

	again := newScreen(t, 100, 40, func(o *Options, _ *terminal.Features) {
		o.Snapshot, o.Tail = s.runs.Snapshot(), s.talk(root).Records
	})
	require.Contains(t, again.text(), "◂ 5 subagents completed · delivered · step 2", "also when the session is opened again")
}
