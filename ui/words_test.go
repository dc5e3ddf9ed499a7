package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// What the screen says around the conversation stays true: it goes when it is no
// longer so, and it names no key that would do something else.

func TestTheWordOnBackgroundRunsGoesWithThem(t *testing.T) {
	s := idle(t)
	s.keys("esc")
	require.Contains(t, s.text(), "1 run goes on in the background")
	s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	require.NotContains(t, s.text(), "goes on in the background")
}

func TestLeavingIsSaidUntilItIsOver(t *testing.T) {
	s := idle(t)
	s.keys("ctrl+c", "ctrl+c", "w")
	require.Contains(t, s.text(), "quits when the last run ends · esc cancel")
	s.keys("pgup")
	require.Contains(t, s.text(), "quits when the last run ends · esc cancel")
	s.keys("tab") // there Esc is about the subagent
	require.Contains(t, s.text(), "quits when the last run ends\n")
	s.keys("left", "esc")
	require.NotContains(t, s.text(), "quits when")
}

func TestTheHintNamesNoKeyThatWouldBeTyped(t *testing.T) {
	s := idle(t)
	require.Contains(t, s.text(), "? keys")
	s.typed("why")
	require.NotContains(t, s.text(), "? keys")
	s.keys("tab")
	require.Contains(t, s.text(), "← back")
	s.typed("why")
	require.NotContains(t, s.text(), "← back")
	s.keys("esc")
	require.Contains(t, s.text(), "Esc again stops it\n")
}

func TestALongDraftSaysHowMuchOfItIsSeen(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(tea.PasteMsg{Content: strings.Repeat("line\n", 7) + "end"})
	require.NotContains(t, s.text(), " of 8 lines")
	s.send(tea.PasteMsg{Content: strings.Repeat("\nline", 192)})
	s.keys("ctrl+o")
	require.Contains(t, s.text(), " 8 of 200 lines ")
}

func TestTheHeadOfAViewGivesWayByWords(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", true)
	name := "compare the ledgers of all years"
	s.delegate(name, true)
	s.end(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
	s.log(lifecycle.SessionID(name), lifecycle.RunID("run "+name), lifecycle.NotificationQueued{})
	s.keys("tab", "tab")
	for width, want := range map[int]string{
		120: "← compare the ledgers of all years · general · ■ stopped by you · 0s · not delivered",
		80:  "← compare the ledgers of all years · ■ stopped by you · not delivered",
		50:  "← compare the ledgers … · ■ stopped by you",
	} {
		s.send(tea.WindowSizeMsg{Width: width, Height: 24})
		head, _, _ := strings.Cut(s.text(), "\n")
		require.Equal(t, want, strings.TrimRight(strings.TrimSuffix(head, "2 of 2"), " "))
	}
}

func TestAnEndIsSaidOnceOnItsCard(t *testing.T) {
	s := newScreen(t, 120, 40)
	s.ask("go")
	s.delegate("audit", true)
	s.end("audit", "run audit", lifecycle.Ended{State: lifecycle.StateCanceledByUser, Cause: lifecycle.CauseKey})
	s.pass(keep)
	require.Equal(t, 1, strings.Count(s.text(), "stopped by you"), s.text())
}

func TestWhatARunWritesIsShownWithoutItsMarks(t *testing.T) {
	s := newScreen(t, 120, 40)
	s.ask("go")
	s.delegate("audit", true)
	s.send(lifecycle.Updates{Progress: []lifecycle.Progress{{Session: "audit", Run: "run audit", Step: 1, Text: "`.go`: **137** files"}}})
	require.Contains(t, s.text(), ".go: 137 files")
	s.log("audit", "run audit", lifecycle.ToolStarted{Call: "1", Tool: "glob", Label: "**/*"})
	require.Contains(t, s.text(), "glob **/*")
}

// On a narrow screen the words that say what a key does go last.
func TestKeysOnANarrowScreen(t *testing.T) {
	for _, foreground := range []bool{false, true} {
		t.Run(fmt.Sprint(foreground), func(t *testing.T) {
			s := newScreen(t, 40, 12)
			s.ask("go")
			s.delegate("audit", !foreground)
			require.Contains(t, s.text(), "esc stops")
			s.keys("down")
			require.Contains(t, s.text(), "x stop")
		})
	}
}
