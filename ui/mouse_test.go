package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

// clickOn clicks where these words stand.
func (s *screen) clickOn(words string) {
	s.t.Helper()
	for y, line := range strings.Split(s.text(), "\n") {
		if before, _, ok := strings.Cut(line, words); ok {
			s.send(tea.MouseClickMsg{X: cells(before), Y: y, Button: tea.MouseLeft})
			return
		}
	}
	require.Failf(s.t, "nowhere on the screen", "%q:\n%s", words, s.text())
}

func TestAClickOpensAndFoldsAToolCall(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.worked()
	s.clickOn("grep Refund")
	require.Contains(t, s.text(), "a.go:1")
	s.clickOn("a.go:1")
	require.Contains(t, s.text(), "a.go:1", "a click into what is open changes nothing")
	s.clickOn("grep Refund")
	require.NotContains(t, s.text(), "a.go:1")
	require.Equal(t, atComposer, s.at(), "the focus stays where it was")
	s.tool("9", "shell", "make", lifecycle.ToolOK, agent.DiffView{Diff: "+" + strings.Repeat("\n+x", 40)})
	s.clickOn("more lines")
	require.NotContains(t, s.text(), "more lines")
}

func TestAClickOpensASessionAndSetsTheCursor(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.delegate("audit", true)
	s.delegate("count", true)
	s.typed("hello world")
	s.clickOn("world")
	require.Equal(t, len("hello "), s.line().at)
	s.View()
	s.send(tea.MouseClickMsg{X: 79, Y: 22, Button: tea.MouseLeft})
	require.Equal(t, len("hello world"), s.line().at, "behind the end is the end")
	s.keys("ctrl+up")
	s.clickOn("hello")
	require.Equal(t, atComposer, s.at(), "a click gives the composer the focus")
	s.clickOn("  ⠋ general count")
	require.Equal(t, lifecycle.SessionID("count"), s.open, "the pinned card")
	s.keys("left")
	s.clickOn("general audit ·")
	require.Equal(t, lifecycle.SessionID("audit"), s.open, "the card in the conversation")
	s.clickOn("Please audit.")
	require.Equal(t, lifecycle.SessionID("audit"), s.open)
}

func TestInFrontOfTheConversationAClickDoesNothing(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.worked()
	s.keys("?")
	before := s.text()
	for y := range 24 {
		s.send(tea.MouseClickMsg{X: 2, Y: y, Button: tea.MouseLeft})
	}
	require.Equal(t, before, s.text())
}

func TestAClickOnALineOfALongTextFindsItsRow(t *testing.T) {
	s := newScreen(t, 40, 24)
	s.typed(strings.Repeat("word ", 60) + "fin")
	s.clickOn("fin")
	require.Equal(t, 300, s.line().at)
	s.keys("ctrl+a")
	rows := s.line().rows(s.width - beside)
	s.View()
	top := s.picture.hits.below + s.picture.hits.lineAt
	s.send(tea.MouseClickMsg{X: 2, Y: top + 1, Button: tea.MouseLeft})
	require.Equal(t, rows[1].start, s.line().at)
}
