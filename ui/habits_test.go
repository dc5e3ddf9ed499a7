package ui

import (
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/rewind"
	"pawl/ui/terminal"
)

func TestCtrlCClearsWhatIsTypedBeforeItQuits(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("half a thought")
	s.keys("ctrl+c")
	require.Empty(t, s.line().Text)
	require.Contains(t, s.text(), clearedWords)
	s.keys("ctrl+c")
	require.False(t, s.quit, "the first on an empty line is a hint")
	require.Contains(t, s.text(), "ctrl+c again quits")
	s.keys("ctrl+y")
	require.Equal(t, "half a thought", s.line().Text)
	s.keys("ctrl+c", "ctrl+c", "ctrl+c")
	require.True(t, s.quit)
}

func TestCtrlCBesideBackgroundRunsClearsAndAsksBeforeItQuits(t *testing.T) {
	s := newScreen(t, 120, 24)
	s.ask("go")
	s.delegate("dig", true)
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	s.typed("half a thought")
	s.keys("ctrl+c")
	require.Empty(t, s.line().Text)
	require.Contains(t, s.text(), "cleared · ctrl+y restores it · ctrl+c again quits · it asks first about 1 run")
	s.keys("ctrl+c")
	require.Equal(t, atDialog, s.at())
	require.False(t, s.quit)
	require.Empty(t, s.route.taken())
}

func TestCtrlCStopsTheParentAndLeavesWhatIsTyped(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.typed("half a thought")
	s.keys("ctrl+c")
	require.Equal(t, []lifecycle.Command{lifecycle.Stop{Session: root, Cause: byKey}}, s.route.taken())
	require.Equal(t, "half a thought", s.line().Text)
}

func TestCtrlDQuitsOnAnEmptyLineAlone(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("ab")
	s.keys("ctrl+a", "ctrl+d", "ctrl+d", "ctrl+d", "ctrl+d")
	require.Empty(t, s.line().Text)
	require.False(t, s.quit, "the key was held a little too long")
	s.now = s.now.Add(time.Second)
	s.keys("ctrl+d")
	require.True(t, s.quit)
}

func TestCtrlDAsksWhileSomethingRuns(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.keys("ctrl+d")
	require.False(t, s.quit)
	require.Equal(t, atDialog, s.at())
}

func TestABackslashBeforeEnterIsANewLine(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed(`one\`)
	s.keys("enter")
	s.typed("two")
	require.Equal(t, "one\ntwo", s.line().Text)
	s.keys("ctrl+_")
	require.Equal(t, "one\n", s.line().Text)
	s.typed(`C:\\`)
	s.keys("enter")
	require.Equal(t, []lifecycle.Command{lifecycle.Send{Session: root, Text: "one\nC:\\\\"}}, s.route.taken(), "two of them are meant")
	s.typed(`say /\`)
	s.keys("left", "enter")
	require.Len(t, s.route.taken(), 1, "behind the cursor it is text")
}

func TestShiftTabWalksThePermissionModesButTheOneThatAsksNothing(t *testing.T) {
	var set []string
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.Commands.Modes = []Mode{{Name: "default"}, {Name: "accept-edits", Means: "edits are free"}, {Name: "plan"}, {Name: bypassMode}}
		o.Commands.SetMode = func(mode string) error { set = append(set, mode); return nil }
	})
	s.keys("shift+tab")
	require.Contains(t, s.text(), "permission mode accept-edits: edits are free")
	s.keys("shift+tab", "shift+tab", "shift+tab")
	require.Equal(t, []string{"accept-edits", "plan", "default", "accept-edits"}, set)
	s.options.Mode = bypassMode
	s.keys("shift+tab")
	require.Equal(t, "default", s.options.Mode)
}

func TestEscTwiceOnAnEmptyLineListsWhereTheSessionCanBeTakenBackTo(t *testing.T) {
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) {
		o.History = []string{"first wish", "second wish"}
		o.RewindPoints = func(context.Context) ([]rewind.Point, error) { return nil, nil }
	})
	s.ask("go")
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	s.keys("esc")
	require.Contains(t, s.text(), "esc again lists where the session can be taken back to")
	s.pass(3 * time.Second)
	s.keys("esc")
	require.Equal(t, atComposer, s.at(), "too late for the first")
	s.keys("esc")
	require.Equal(t, atPicker, s.at())
	s.keys("esc", "ctrl+r", "down", "enter")
	require.Equal(t, "first wish", s.line().Text)
	s.keys("esc")
	require.Contains(t, s.text(), clearedWords)
	s.keys("esc")
	require.Equal(t, atPicker, s.at(), "the line is empty now")
}

func TestEscTwiceWhileSomethingRunsListsNothing(t *testing.T) {
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) { o.History = []string{"first wish"} })
	s.ask("go")
	s.delegate("dig", true)
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	s.keys("esc", "esc", "esc")
	require.Equal(t, atComposer, s.at())
	require.Contains(t, s.text(), "↓ selects one")
}

func TestInsideGNUScreenTheMouseStaysOff(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want tea.MouseMode
	}{
		{[]string{"TERM=xterm-256color"}, tea.MouseModeCellMotion},
		{[]string{"TERM=xterm", "STY=1234.pts-0.here"}, tea.MouseModeNone},
		{[]string{"TERM=screen.xterm-256color"}, tea.MouseModeNone},
		{[]string{"TERM=screen-256color", "TMUX=/tmp/tmux-0/default,1,0"}, tea.MouseModeCellMotion},
	} {
		s := newScreen(t, 80, 24, func(_ *Options, term *terminal.Features) { *term = terminal.ReadFeatures(c.env) })
		require.Equal(t, c.want, s.View().MouseMode, "%s", c.env)
	}
}

func TestWordsOfOtherProgramsLeadToWhatThereIs(t *testing.T) {
	for line, want := range map[string]string{
		"/login":  "pawl login NAME, in a shell",
		"/review": "/changes takes your comments on lines",
		"/zzz":    "/zzz is not a command (put a space",
		"/statis": "did you mean /status?",
	} {
		s := newScreen(t, 120, 24, func(o *Options, _ *terminal.Features) { o.Commands.Nearest = words.Nearest })
		s.typed(line)
		s.keys("enter")
		require.Contains(t, s.text(), want)
	}
	for name := range otherPrograms {
		_, known := newScreen(t, 80, 24).commandNamed(name)
		require.False(t, known, "%s is a command", name)
	}
}

func TestStatusSaysWhatIsSetAndUsed(t *testing.T) {
	s := newScreen(t, 120, 24)
	s.ask("go")
	s.typed("/status")
	s.keys("enter")
	require.Contains(t, s.text(), "model anthropic/claude · permission mode default · ~/src/shop · 0 tokens · 1 run active · session root")
}
