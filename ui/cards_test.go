package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// endings are runs in the background that ended in each way, and one that was waited for.
func endings(s *screen) {
	s.ask("go")
	for _, end := range []lifecycle.Ended{
		{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailMaxSteps, Message: "limit of 4 steps"}},
		{State: lifecycle.StateCompletedEmpty},
		{State: lifecycle.StateCompleted, Result: "Here it is."},
		{State: lifecycle.StateInterrupted, Cause: lifecycle.CauseProcessEnd},
		{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey},
	} {
		name := "was " + string(end.State)
		s.delegate(name, true)
		s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name), end, lifecycle.NotificationQueued{},
			lifecycle.NotificationDelivered{InRun: "r1", Step: 1}, lifecycle.Consumed{By: lifecycle.ByNotification})
	}
	s.delegate("waited for", false)
	s.log("waited for", "run waited for", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "As asked."}, lifecycle.Consumed{By: lifecycle.ByToolResult})
}

// pinnedNames are the names of the pinned cards, in the order of their lines.
func (s *screen) pinnedNames() string {
	var names []string
	for _, line := range s.docked() {
		if line.Ends != nil {
			names = append(names, fmt.Sprint(len(line.Ends), " completed"))
			continue
		}
		names = append(names, line.Run.Description)
	}
	return strings.Join(names, ", ")
}

func TestAnEndThatNeedsALookStaysUntilItIsSeenOrPutAway(t *testing.T) {
	s := newScreen(t, 120, 40)
	endings(s)
	s.pass(time.Hour)
	require.Equal(t, "was failed, was completed_empty, was interrupted, was completed", s.pinnedNames())
	s.keys("down", "enter", "left")
	require.Equal(t, "was completed_empty, was interrupted, was completed", s.pinnedNames(), "its session was opened")
	s.keys("down", "delete")
	require.Equal(t, "was interrupted, was completed", s.pinnedNames())
	require.Contains(t, s.text(), "hidden: was completed_empty")
	require.Contains(t, s.text(), "r continues it")
	s.route.taken()
	s.keys("r")
	require.Equal(t, []lifecycle.Command{lifecycle.Continue{Session: "was interrupted"}}, s.route.taken(), "the parent has heard of it, and it is still offered")
	s.keys("backspace")
	require.Equal(t, "was completed", s.pinnedNames(), "the focus went on to the next")
	s.keys("delete")
	require.Empty(t, s.pinnedNames())
	require.Equal(t, atComposer, s.at())
}

func TestWhatIsAtWorkIsNotPutAway(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("dig", true)
	s.keys("down", "delete")
	require.Equal(t, "dig", s.pinnedNames())
	require.Contains(t, s.text(), "it is still running")
}

func TestWhatRunsIsSeenBesideManyEndsThatNeedALook(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("runs on", true)
	for _, name := range []string{"one", "two", "three", "four", "five", "six"} {
		s.delegate(name, true)
		s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"}, lifecycle.NotificationQueued{})
	}
	s.delegate("broke", true)
	s.end("broke", "run broke", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "gone"}})
	s.delegate("begun last", true)
	s.pass(time.Hour)
	cards := strings.Join(lines(s.renderDock(s.canvas(), 5)), "\n")
	for _, name := range []string{"runs on", "broke", "begun last", "6 completed"} {
		require.Contains(t, cards, name)
	}
}

func lines(drawn []draw.Styled) []string {
	var lines []string
	for _, line := range drawn {
		lines = append(lines, string(line))
	}
	return lines
}

func TestALongDescriptionLeavesTheStateToBeSeen(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("audit every refund of the last year ", 9))
	for _, width := range []int{40, 80, 120} {
		s := newScreen(t, width, 24)
		s.ask("go")
		s.log("x", "run x", lifecycle.Spawned{Spec: lifecycle.Spec{
			Root: root, Parent: root, ParentRun: "r1", Call: "c", Trigger: lifecycle.TriggerAgent, Type: "general", Description: long, Prompt: "Audit.", Background: true,
		}}, lifecycle.Started{}, lifecycle.StepStarted{Step: 1})
		s.log("x", "run x", lifecycle.Ended{State: lifecycle.StateFailed, Error: &lifecycle.Failure{Kind: lifecycle.FailAuth, Message: "no"}}, lifecycle.NotificationQueued{},
			lifecycle.NotificationDelivered{InRun: "r1", Step: 1}, lifecycle.Consumed{By: lifecycle.ByNotification})
		card, _, _ := strings.Cut(s.text()[strings.LastIndex(s.text(), "✗"):], "\n")
		require.Regexp(t, `API key: no|failed`, card, "%d: the card", width)
		require.LessOrEqual(t, strings.Count(s.text(), "audit every refund"), 6, "%d", width)
		s.keys("tab")
		head, _, _ := strings.Cut(s.text(), "\n")
		require.Contains(t, head, "failed", "%d: the view", width)
	}
}

func TestWhyASubagentWasStoppedIsShownToThePerson(t *testing.T) {
	s := newScreen(t, 120, 24)
	s.ask("go")
	s.delegate("dig", true)
	s.log("dig", "run dig", lifecycle.StopRequested{Cause: lifecycle.CauseAgentStop, Reason: "the other one found it"},
		lifecycle.Ended{State: lifecycle.StateCanceledByAgent, Cause: lifecycle.CauseAgentStop, Reason: "the other one found it"})
	require.Contains(t, s.text(), "stopped by the main agent: the other one found it")
}

func TestAnActivityIsCutBehindAWholeWord(t *testing.T) {
	c := newScreen(t, 80, 24).canvas()
	for text, want := range map[string]string{
		"looking at the refunds":              "looking at the…",
		"looking at thee refunds":             "looking at thee…",
		"a-word-that-is-longer-than-there-is": "a-word-that-is-…",
	} {
		require.Equal(t, want, string(c.CutWords(sanitize.Line(text), 16)))
	}
}
