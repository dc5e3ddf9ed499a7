package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/ui/draw"
)

// floating are the scenes in which something floats in front of the conversation.
var floating = map[string]bool{
	"question": true, "three ask": true, "why not": true, "always": true, "denied": true, "quitting": true, "stranger": true,
	"palette": true, "sessions": true, "models": true, "cost": true, "agents": true, "servers": true, "permissions": true, "recall": true,
}

func TestWhatFloatsHasABorderWhereTheScreenHasRoomForIt(t *testing.T) {
	seen := 0
	for _, scene := range scenes {
		if !floating[scene.name] {
			continue
		}
		seen++
		for _, height := range []int{draw.BorderedFrom - 1, draw.BorderedFrom, 40} {
			s := newScreen(t, 80, height)
			scene.play(s)
			bordered := height >= draw.BorderedFrom
			require.Equal(t, bordered, strings.Contains(s.text(), "\n╭─") || strings.HasPrefix(s.text(), "╭─"), "%s in %d rows:\n%s", scene.name, height, s.text())
			require.Equal(t, bordered, strings.Contains(s.text(), "╰─"), "%s in %d rows:\n%s", scene.name, height, s.text())
			require.Equal(t, bordered, strings.Contains(s.text(), "│\n"), scene.name)
		}
	}
	require.Len(t, floating, seen)
}

func TestTheFrameOfADialogHasTheSums(t *testing.T) {
	s := newScreen(t, 120, 40)
	manyAtWork(s)
	s.keys("ctrl+x")
	require.NotNil(t, s.dialog)
	require.Contains(t, s.text(), "╭── 10 subagents · 4 work · 1 waits for a slot · 2 need a look · ")
	require.NotContains(t, s.text(), "4 running", "once is enough")
}

func TestADialogIsAnsweredByTheMarkALetterOrADigit(t *testing.T) {
	for _, keys := range [][]string{{"up", "up", "up", "enter"}, {"x"}, {"1"}} {
		s := newScreen(t, 80, 24)
		s.ask("go")
		s.sent("/quit")
		require.Contains(t, s.inside(), "1 x    stop them and quit\n")
		require.Contains(t, s.inside(), "› 4 esc  cancel\n")
		s.keys(keys...)
		s.pass(heldFor)
		require.True(t, s.quit, "%v", keys)
	}
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.sent("/quit")
	s.keys("4")
	s.pass(heldFor)
	require.Nil(t, s.dialog)
	s.keys("5")
	s.pass(heldFor)
	require.Equal(t, "5", s.line().Text, "a digit that is none of them is text")
}

// theirOwn are the views whose width has tests of its own: the lines of runs, the dashboard, two sides, and
// lists and diffs beside what they are of.
var theirOwn = []string{
	"cards", "states", "view", "shell", "not saved", "unread", "overdue", "queue", "since looked", "record", "replay",
	"dashboard", "dock", "side by side", "sessions", "agents", "servers", "changes",
}

// On a wide screen the eye crosses no empty half of it: what belongs together stands together.
func TestNothingStandsFartherRightThanLinesGo(t *testing.T) {
	wide := strings.Repeat(" ", 40)
	for _, scene := range scenes {
		if slices.ContainsFunc(theirOwn, func(name string) bool { return strings.HasPrefix(scene.name, name) }) {
			continue
		}
		s := newScreen(t, 200, 60)
		scene.play(s)
		for row, line := range strings.Split(s.text(), "\n") {
			if plain := strings.TrimRight(line, "─╮╯│ "); strings.Contains(plain, wide) {
				require.LessOrEqual(t, ansi.StringWidth(plain), draw.ContentWidth, "%s, row %d: %q", scene.name, row, line)
			}
		}
	}
}

func TestPgDownShowsTheNextPageOfADialog(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.dialog = s.trustDialog(&TrustPrompt{Title: "Do you trust it?", Says: strings.Split(strings.Repeat("a line\n", 60), "\n")})
	s.picture.ready = false
	s.text()
	before, height := s.dialog.Page.Below(), s.dialog.Page.Height()
	require.Greater(t, height, 3)
	s.keys("pgdown")
	s.text()
	require.Equal(t, before-height+2, s.dialog.Page.Below(), "two lines of the last page stay in sight")
}

func TestWideAndHostileTextLeavesTheBorderWhereItIs(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.wonders("", lifecycle.Question{ID: "q", Session: root, Run: "r1", Tool: "shell", Subject: "漢字 \x1b[2J and on"})
	for line := range strings.Lines(s.text()) {
		if strings.HasPrefix(line, "│") {
			require.Equal(t, 80, ansi.StringWidth(strings.TrimSuffix(line, "\n")), line)
		}
	}
}
