package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/ui/terminal"
)

func remembering(t *testing.T, prompts ...string) *screen {
	return newScreen(t, 80, 24, func(o *Options, _ *terminal.Features) { o.History = prompts })
}

func TestTheSearchInTheHistoryTakesAPromptIntoTheLine(t *testing.T) {
	s := remembering(t, "fix the tests", "write docs", "fix the build\nand the docs", "fix the tests")
	s.typed("half a thought")
	s.keys("ctrl+r")
	require.Contains(t, s.text(), " 3 of 3 earlier prompts ")
	s.typed("fix")
	require.Contains(t, s.inside(), "› fix the tests\n  fix the build and the docs\nsearch: fix\n")
	s.keys("ctrl+r", "enter")
	require.Equal(t, "fix the build\nand the docs", s.line().Text)
	require.Empty(t, s.route.taken(), "it is not sent")
	s.keys("ctrl+_")
	require.Equal(t, "half a thought", s.line().Text)
}

func TestTheSearchInTheHistoryGivesBackWhatStoodThere(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c", "ctrl+g"} {
		s := remembering(t, "fix the tests")
		s.typed("half a ")
		s.send(tea.PasteMsg{Content: pastedLines("log", 11)})
		s.keys("ctrl+r")
		s.typed("te")
		s.keys(key)
		require.Contains(t, s.text(), "› half a [paste 1: 11 lines]\n")
		require.Empty(t, s.route.taken())
	}
}

func TestTheSearchPrefersWhatWasTypedToTheLetter(t *testing.T) {
	s := remembering(t, "run the tests", "t e s t s spelled", "nothing like it", "tests of the store")
	s.keys("ctrl+r")
	s.typed("TESTS")
	require.Contains(t, s.inside(), "› tests of the store\n  run the tests\n  t e s t s spelled\nsearch: TESTS\n")
	s.keys("ctrl+s")
	marked, _ := s.recalling.Chosen()
	require.Equal(t, "t e s t s spelled", marked, "around the end")
	s.keys("ctrl+u", "z", "z", "z", "enter")
	require.Contains(t, s.text(), "nothing matches")
	require.Contains(t, s.text(), "search: zzz")
	s.keys("ctrl+h", "backspace", "ctrl+w")
	require.Contains(t, s.text(), " 4 of 4 earlier prompts ")
}

func TestTheSearchShowsAHitFarBehind(t *testing.T) {
	s := remembering(t, strings.Repeat("漢字 words ", 20)+"needle in it")
	s.keys("ctrl+r")
	s.send(tea.PasteMsg{Content: "needle\n"})
	require.Contains(t, s.text(), "needle in it")
	require.Contains(t, s.text(), "› …")
	for _, size := range [][2]int{{40, 10}, {10, 4}, {1, 1}} {
		s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		_ = s.text()
	}
}

func TestUpOverADraftLosesNothing(t *testing.T) {
	s := remembering(t, "fix the tests")
	s.typed("mine")
	s.keys("up")
	require.Equal(t, "fix the tests", s.line().Text)
	require.Equal(t, "mine", s.draft(root), "that is what detaching keeps")
	s.keys("enter", "ctrl+y")
	require.Equal(t, "mine", s.line().Text)
	s.keys("ctrl+u")

	s.typed("mine")
	s.keys("up", "!")
	require.Equal(t, "mine\nfix the tests!", s.draft(root))
	s.keys("down")
	require.Equal(t, "mine", s.line().Text)
	s.keys("ctrl+u", "ctrl+y", "alt+y")
	require.Equal(t, "fix the tests!", s.line().Text, "a prompt that was changed is no less somebody's text")

	s.keys("ctrl+u", "up", "ctrl+u")
	s.typed("something new")
	s.keys("down")
	require.Equal(t, "something new", s.line().Text, "an empty line has left the history")
}

func TestWithoutAHistoryThereIsNothingToSearch(t *testing.T) {
	s := remembering(t)
	s.keys("ctrl+r")
	require.Equal(t, atComposer, s.at())
	require.Contains(t, s.text(), "no earlier prompts yet")
}
