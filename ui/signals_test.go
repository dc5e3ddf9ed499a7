package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/terminal"
)

// heardFrom gives a message to the screen and tells what its commands write to the
// terminal.
func (s *screen) heardFrom(msg tea.Msg) string {
	_, cmd := s.Update(msg)
	s.View()
	return sentToTerminal(cmd)
}

func sentToTerminal(cmd tea.Cmd) string {
	if cmd == nil {
		return ""
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		var all strings.Builder
		for _, one := range msg {
			all.WriteString(sentToTerminal(one))
		}
		return all.String()
	case tea.RawMsg:
		return fmt.Sprint(msg.Msg)
	}
	return ""
}

func (s *screen) ends(name string, state lifecycle.State) tea.Msg {
	end := lifecycle.Ended{State: state}
	if state == lifecycle.StateFailed {
		end.Error = &lifecycle.Failure{Kind: lifecycle.FailProvider, Message: "gone"}
	}
	return lifecycle.Updates{Records: s.records(lifecycle.SessionID(name), lifecycle.RunID("run "+name), end)}
}

func (s *screen) window() (title string, bar tea.ProgressBarState) {
	view := s.View()
	if view.ProgressBar != nil {
		bar = view.ProgressBar.State
	}
	return view.WindowTitle, bar
}

func TestTitleAndProgressBarSayHowTheSessionStands(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.signals.emulator = terminal.Emulator{Bar: true}
	stands := func(wantTitle string, wantBar tea.ProgressBarState) {
		t.Helper()
		title, bar := s.window()
		require.Equal(t, wantTitle, title)
		require.Equal(t, wantBar, bar)
	}
	stands("pawl ~/src/shop", tea.ProgressBarNone)
	s.ask("go")
	stands("◐ pawl ~/src/shop (1 running)", tea.ProgressBarIndeterminate)
	s.delegate("audit refunds", true)
	s.log("audit refunds", "run audit refunds", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: "audit refunds", Run: "run audit refunds", Tool: "shell", Subject: "ls"}})
	stands("? pawl ~/src/shop", tea.ProgressBarWarning)
	s.log("audit refunds", "run audit refunds", lifecycle.PermissionDenied{Question: "q", By: "person"})
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted})
	stands("◐ pawl ~/src/shop (1 running)", tea.ProgressBarNone)
	s.send(s.ends("audit refunds", lifecycle.StateFailed))
	stands("☒ pawl ~/src/shop", tea.ProgressBarError)
	s.keys("esc")
	stands("pawl ~/src/shop", tea.ProgressBarNone)

	s = newScreen(t, 80, 24)
	s.ask("go")
	s.end(root, "r1", lifecycle.Ended{State: lifecycle.StateCompleted})
	stands("☑ pawl ~/src/shop", tea.ProgressBarNone)

	s = newScreen(t, 80, 24)
	s.ask("go")
	require.Nil(t, s.View().ProgressBar, "a terminal that is not known to have one")
}

// Ghostty takes a bar away that it has not heard of for 15 s.
func TestTheProgressBarIsSentAgainWhileItStands(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.signals.emulator = terminal.Emulator{Bar: true}
	s.ask("go")
	s.View()
	times := 0
	for range 300 {
		s.now = s.now.Add(100 * time.Millisecond)
		times += strings.Count(s.heardFrom(terminal.Tick(s.now)), ansi.SetIndeterminateProgressBar)
	}
	require.Contains(t, []int{2, 3}, times, "about every 10 s of 30")
}

func TestAnEndCallsOnlyWhileTheWindowHasNoFocus(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		s.delegate(name, true)
	}
	require.True(t, s.View().ReportFocus)
	require.Empty(t, s.heardFrom(s.ends("one", lifecycle.StateCompleted)), "the user looks, as far as anybody knows")
	s.heardFrom(tea.BlurMsg{})
	require.Equal(t, "\a", s.heardFrom(s.ends("two", lifecycle.StateCompleted)))
	require.Empty(t, s.heardFrom(s.ends("three", lifecycle.StateFailed)), "one was called just now")
	require.Equal(t, "\a", s.heardFrom(lullOver{}), "and at the end of the lull, once for all")
	require.Empty(t, s.heardFrom(lullOver{}))
	s.heardFrom(s.ends("four", lifecycle.StateCanceledByUser))
	require.Empty(t, s.signals.waiting.words, "who stops a run knows of its end")
	s.heardFrom(tea.FocusMsg{})
	require.Empty(t, s.heardFrom(s.ends("five", lifecycle.StateCompleted)))
}

func TestACallSaysWhatEndedAndHowAndNothingOfItsResult(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.signals.emulator = terminal.Emulator{Dialect: terminal.Urxvt}
	s.ask("go")
	s.delegate("audit; refunds\x1b]0;x\a", true)
	for _, name := range []string{"two", "three"} {
		s.delegate(name, true)
	}
	s.heardFrom(tea.BlurMsg{})
	end := s.ends("audit; refunds\x1b]0;x\a", lifecycle.StateCompleted).(lifecycle.Updates)
	end.Records[0].Event = lifecycle.Ended{State: lifecycle.StateCompleted, Result: "a secret"}
	call := s.heardFrom(end)
	require.True(t, strings.HasPrefix(call, "\x1b]777;notify;Pawl;audit, refunds"), "%q", call)
	require.True(t, strings.HasSuffix(call, ": completed\x1b\\"), "%q", call)
	require.Equal(t, 2, strings.Count(call, "\x1b"), "no sequence but ours: %q", call)
	require.NotContains(t, call, "secret")
	s.heardFrom(s.ends("two", lifecycle.StateCompleted))
	s.log(root, "r1", lifecycle.PermissionAsked{Question: lifecycle.Question{ID: "q", Session: root, Run: "r1", Tool: "shell", Subject: "a secret"}})
	require.Equal(t, "\x1b]777;notify;Pawl;two: completed, and 1 more\x1b\\", s.heardFrom(lullOver{}))
}

func TestHowACallIsMade(t *testing.T) {
	for _, row := range []struct {
		how  string
		tell terminal.Dialect
		want string
	}{
		{"", terminal.BellOnly, "\a"},
		{"auto", terminal.BellOnly, "\a"},
		{"auto", terminal.Growl, "\x1b]9;Pawl: 4;done\x1b\\"}, // and no progress of 4;…
		{"auto", terminal.Urxvt, "\x1b]777;notify;Pawl;4,done\x1b\\"},
		{"auto", terminal.KittyTold, "\x1b]99;;Pawl: 4;done\x1b\\"},
		{"bell", terminal.Urxvt, "\a"},
		{"desktop", terminal.KittyTold, "\x1b]99;;Pawl: 4;done\x1b\\"},
		{"desktop", terminal.BellOnly, "\a\x1b]777;notify;Pawl;4,done\x1b\\"},
	} {
		require.Equal(t, draw.Sequence(row.want), terminal.Emulator{Dialect: row.tell}.Notification(row.how, "4;done"), "%+v", row)
	}
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) { o.Notify = "off" })
	require.False(t, s.View().ReportFocus)
}
