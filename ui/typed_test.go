package ui

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/agent/commands"

	"pawl/export/formats"
	"pawl/lifecycle"
	"pawl/ui/terminal"
)

func TestCompactTypedSumsUpTheSessionThatIsShown(t *testing.T) {
	s := idle(t)
	for line, want := range map[string]string{"/compact": "", "/compact  keep the SQL parts ": "keep the SQL parts"} {
		s.typed(line)
		s.keys("enter")
		require.Equal(t, []lifecycle.Command{lifecycle.Compact{Session: root, Instructions: want}}, s.route.taken())
		require.Empty(t, s.line().Text)
	}
	s.route.reply = lifecycle.Reply{Later: true}
	s.typed("/compact")
	s.keys("enter")
	require.Contains(t, s.text(), "the conversation will be summarized when this run ends")
}

func TestATypedCommandThatIsNoneStaysInTheLine(t *testing.T) {
	for line, want := range map[string]string{
		"/compcat the SQL":  "/compcat is not a command; did you mean /compact?",
		"/stop the servers": "/stop takes no arguments",
	} {
		s := idle(t)
		s.options.Commands.Nearest = func(string, []string) string { return "/compact" }
		s.typed(line)
		s.keys("enter")
		require.Empty(t, s.route.taken())
		require.Equal(t, line, s.line().Text)
		require.Contains(t, s.text(), want)
	}
}

func TestATypedCommandThatFailsIsBackInTheLine(t *testing.T) {
	for _, line := range []string{"/model typo", "/effort typo", "/fork 99"} {
		s := idle(t)
		s.commanded()
		s.options.Commands.SetEffort = func(context.Context, string) error { return errors.New("no such level") }
		s.options.Commands.Fork = func(context.Context, *Prompt) (lifecycle.SessionID, error) { return "", nil }
		s.options.Commands.Prompts = func(context.Context) ([]Prompt, error) { return nil, nil }
		s.typed(line)
		s.keys("enter")
		require.Equal(t, line, s.line().Text)
	}
}

func TestACommandOfThePaletteLosesNothingThatIsTyped(t *testing.T) {
	for _, hint := range []string{"", "[file]"} {
		s := idle(t)
		s.options.Commands.Others = func() []Other { return []Other{{Name: "init", Hint: hint, Description: "writes AGENTS.md"}} }
		s.typed("half a message")
		s.keys("ctrl+p")
		s.typed("init")
		s.keys("enter")
		if hint == "" {
			require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: root, Text: "/init"}}, s.route.taken())
			require.Equal(t, "half a message", s.line().Text)
		} else {
			require.Empty(t, s.route.taken())
			require.Equal(t, "/init half a message", s.line().Text, "it is the command's words now")
			s.keys("ctrl+_")
			require.Equal(t, "half a message", s.line().Text)
		}
	}
}

func TestPathsAndSpacesAreNoCommands(t *testing.T) {
	for _, line := range []string{"/etc/hosts is odd", "/home/ada", "/ is full", "//", " /stop means what?", "a /stop"} {
		s := idle(t)
		s.typed(line)
		s.keys("enter")
		taken := s.route.taken()
		require.Len(t, taken, 1, line)
		require.IsType(t, lifecycle.Send{}, taken[0])
	}
}

// summing logs a run that sums the root's conversation up, up to its end.
func (s *screen) summing(run lifecycle.RunID, wish string) {
	s.log(root, run, lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerCompact, Prompt: wish, From: lifecycle.FromUser}}, lifecycle.Started{})
}

func TestASummaryIsSeenWhileItIsMadeAndLeavesOneLine(t *testing.T) {
	s := idle(t)
	s.summing("sum", "keep the SQL")
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: root, Run: "sum", Activity: "summarizing the conversation", OutputTokens: 1250}}})
	require.Contains(t, s.text(), "/compact keep the SQL")
	require.Contains(t, s.text(), "summarizing the conversation")
	s.log(root, "sum", lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 9}}, lifecycle.Compacted{Summary: "Goal: the refunds.", Before: 118_000, After: 2900},
		lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Compacted 118,000 tokens to 2,900."})
	require.Contains(t, s.text(), "earlier messages summarized for the model: 118k tokens to 2.9k")
	require.NotContains(t, s.text(), "Compacted 118,000")
	s.summing("again", "")
	s.log(root, "again", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "There is nothing to summarize yet."})
	require.Contains(t, s.text(), "There is nothing to summarize yet.")
}

func TestTheStatusLineSaysHowFullTheContextIs(t *testing.T) {
	s := newScreen(t, 120, 40, func(o *Options, _ *terminal.Features) { o.Context = 200_000 })
	s.ask("go")
	require.NotContains(t, s.text(), "context")
	s.log(root, "r1", lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 120_000, OutputTokens: 4000, CachedTokens: 100_000}}, lifecycle.UsageReported{})
	require.Contains(t, s.text(), "62 % context")
	s.log(root, "r1", lifecycle.UsageReported{Usage: lifecycle.Usage{InputTokens: 124_000, OutputTokens: 900}}, lifecycle.Compacted{Before: 124_000, After: 6000})
	require.Contains(t, s.text(), "3 % context")
	s.delegate("audit", true)
	s.keys("tab")
	require.NotContains(t, s.text(), "context", "its model may be another")
}

func TestASummaryDoesNotHideWhatHoldsTheParentBack(t *testing.T) {
	s := idle(t)
	s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	s.log("audit", "run audit", lifecycle.NotificationQueued{})
	s.log(root, "stopped", lifecycle.Spawned{Spec: lifecycle.Spec{Root: root, Trigger: lifecycle.TriggerUser, Prompt: "go"}}, lifecycle.Started{},
		lifecycle.StopRequested{Cause: lifecycle.CauseKey}, lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
	s.summing("sum", "")
	s.log(root, "sum", lifecycle.Compacted{Before: 9, After: 1}, lifecycle.Ended{State: lifecycle.StateCompleted, Result: "Compacted."})
	s.pass(time.Minute)
	require.Contains(t, s.text(), "1 result is reported with your next message: you stopped the main agent")
}

func TestTheNamesThatNoFileCanTakeAreThoseOfTheScreen(t *testing.T) {
	var names []string
	for _, c := range typedCommands() {
		names = append(names, strings.TrimPrefix(c.name, "/"))
	}
	require.Equal(t, names, commands.ScreenNames())
}

func TestTheNameOfACommandStandsWholeBelowWhatWasTyped(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.log(root, "r1", lifecycle.Spawned{Spec: lifecycle.Spec{
		Root: root, Trigger: lifecycle.TriggerUser, Prompt: "/review 42", From: lifecycle.FromUser,
		Attached: []lifecycle.Attachment{{Name: "/review", Command: true, Note: ".claude/commands/review.md, 1 program was not run: no rule allows it unasked, with its allowed-tools"}},
	}}, lifecycle.Started{})
	require.Contains(t, s.text(), "▤ /review  .claude/commands/review.md, 1 program was not run: no rule allows")
	require.Contains(t, s.text(), "    it unasked, with its allowed-tools")
}

func TestACommandThatDoesNotWorkIsBackInTheLine(t *testing.T) {
	failing := func(o *Options, _ *terminal.Features) {
		o.Commands.Formats = []formats.Format{"md", "html"}
		o.Export = func(context.Context, formats.Options, string, func(int64, int64)) (string, error) {
			return "", errors.New("notes.md exists")
		}
	}
	for line, why := range map[string]string{
		"/compact keep the table of ids": "a run is waiting",
		"/export md notes.md":            "notes.md exists",
		"/export brief png":              "png is not an export format",
		"/theme puce":                    "puce",
	} {
		s := newScreen(t, 80, 24, failing)
		s.ask("go")
		s.delegate("audit", true)
		s.keys("tab")
		s.route.err = errors.New("a run is waiting")
		s.typed(line)
		s.keys("enter")
		require.Contains(t, s.text(), why, line)
		require.Equal(t, line, s.line().Text)
	}
}
