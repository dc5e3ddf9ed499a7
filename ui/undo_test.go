package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/ui/terminal"
)

func TestUndoGoesBackWordByWord(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("one two")
	s.keys("ctrl+w")
	s.typed("three")
	s.keys("backspace", "backspace")
	for _, want := range []string{"one three", "one ", "one two", "one ", "", ""} {
		s.keys("ctrl+_")
		require.Equal(t, want, s.line().Text)
	}
	require.Contains(t, s.text(), "nothing to undo")
}

func TestUndoEndsWithTheMessage(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("sent")
	s.keys("enter", "ctrl+_")
	require.Empty(t, s.line().Text)
}

func TestUndoGivesBackWhatTheHistoryReplaced(t *testing.T) {
	s := newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) { o.History = []string{"earlier"} })
	s.typed("mine")
	s.keys("up")
	require.Equal(t, "earlier", s.line().Text)
	s.keys("ctrl+_")
	require.Equal(t, "mine", s.line().Text)
}

func TestCutsInARowComeBackAsOneAndOlderOnesAfterIt(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("one two three four")
	s.keys("ctrl+w", "ctrl+w", "ctrl+a", "alt+d", "ctrl+y")
	require.Equal(t, "one two ", s.line().Text)
	s.keys("ctrl+e", "ctrl+u", "ctrl+y", "alt+y", "alt+y")
	require.Equal(t, "three four", s.line().Text)
	s.keys("alt+y")
	require.Equal(t, "one two ", s.line().Text)
	s.keys("left", "alt+y")
	require.Equal(t, "one two ", s.line().Text, "only right after ctrl+y")
}

func TestCutsOfTwoMessagesAreTwo(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("one")
	s.keys("ctrl+w")
	s.typed("x")
	s.keys("enter")
	for range 2 { // as many changes as the first message had
		s.typed("y")
		s.keys("ctrl+a", "delete")
	}
	s.typed("two")
	s.keys("ctrl+w", "ctrl+y")
	require.Equal(t, "two", s.line().Text)
}

func TestWordsChangeTheirLetters(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("one-two éTé three")
	s.keys("ctrl+a", "alt+u", "alt+c", "alt+c", "alt+l")
	require.Equal(t, "ONE-Two Été three", s.line().Text)
	s.keys("alt+l")
	require.Equal(t, len(s.line().Text), s.line().At)
}

func TestTheEndsOfTheText(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.send(tea.PasteMsg{Content: "one\ntwo\nthree"})
	s.keys("alt+<")
	s.typed("a")
	s.keys("alt+>")
	s.typed("z")
	require.Equal(t, "aone\ntwo\nthreez", s.line().Text)
}
