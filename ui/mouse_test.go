package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/draw"
)

// clickOn clicks where these words stand.
func (s *screen) clickOn(words string) {
	s.t.Helper()
	for y, line := range strings.Split(s.text(), "\n") {
		if before, _, ok := strings.Cut(line, words); ok {
			s.send(tea.MouseClickMsg{X: draw.Cells(before), Y: y, Button: tea.MouseLeft})
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
	require.Equal(t, len("hello "), s.line().At)
	s.View()
	s.send(tea.MouseClickMsg{X: 79, Y: 22, Button: tea.MouseLeft})
	require.Equal(t, len("hello world"), s.line().At, "behind the end is the end")
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
	require.Equal(t, 300, s.line().At)
	s.keys("ctrl+a")
	rows := s.line().Rows(s.width - composer.Margin)
	s.View()
	top := s.picture.hits.below + s.picture.hits.lineAt
	s.send(tea.MouseClickMsg{X: 2, Y: top + 1, Button: tea.MouseLeft})
	require.Equal(t, rows[1].Start, s.line().At)
}

func TestAClickOnTheComposerBringsTheFocusBackFromTheQueueAndFromAList(t *testing.T) {
	s := newScreen(t, 80, 24)
	waitingMessages(s)
	s.typed("half a thought")
	s.keys("up")
	require.Equal(t, atQueue, s.at())
	s.clickOn("thought")
	require.Equal(t, atView, s.at())
	s.typed("d ")
	require.Contains(t, s.text(), "half a d thought", "a letter is typed where the click was")

	s = newScreen(t, 80, 24)
	s.typed("/the")
	require.Equal(t, atCompletion, s.at())
	s.View()
	s.send(tea.MouseClickMsg{X: 3, Y: s.picture.hits.below + s.picture.hits.lineAt, Button: tea.MouseLeft})
	require.Equal(t, 1, s.line().At)
	require.Equal(t, atComposer, s.at())
}

func TestAClickPastTheEndOfAWrappedRowStaysOnIt(t *testing.T) {
	s := newScreen(t, 40, 24)
	s.send(tea.PasteMsg{Content: "漢字 " + strings.Repeat("words of a line ", 10)})
	rows := s.line().Rows(s.width - composer.Margin)
	require.Greater(t, len(rows), 2)
	for y := range rows[:len(rows)-1] {
		s.View()
		s.send(tea.MouseClickMsg{X: 39, Y: s.picture.hits.below + s.picture.hits.lineAt + y, Button: tea.MouseLeft})
		require.Equal(t, y, s.line().Row(s.canvas()), "row %d", y)
	}
}

func TestAClickAmongWideCharactersAndAFoldedPasteFindsWhatItPointsAt(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("漢字 ")
	s.send(tea.PasteMsg{Content: strings.Repeat("a line of the log\n", 12)})
	s.typed(" 漢 fin")
	folded := s.line().Chips[0]
	for _, row := range []struct {
		at   string
		want int
	}{{"字", len("漢")}, {"paste 1", folded.Start}, {"lines]", folded.Start}, {"漢 fin", folded.End + 1}, {"fin", folded.End + len(" 漢 ")}} {
		s.View()
		s.clickOn(row.at)
		require.Equal(t, row.want, s.line().At, row.at)
	}
}

// Each row of the pinned cards leads where it says, the choices of an overdue one
// included; empty rows and the count of the others lead nowhere.
func TestEachRowOfThePinnedCardsLeadsToItsSession(t *testing.T) {
	pinnedAt := func(s *screen, row int) tea.Msg {
		s.View()
		return tea.MouseClickMsg{X: 5, Y: s.picture.hits.below + s.picture.hits.cardsAt + row, Button: tea.MouseLeft}
	}
	s := newScreen(t, 80, 24)
	overdueCard(s)
	for row, want := range []lifecycle.SessionID{"audit refunds", "audit refunds", "count callers"} {
		s.send(pinnedAt(s, row))
		require.Equal(t, want, s.open, "row %d:\n%s", row, s.text())
		s.keys("esc")
		s.show(root)
	}

	s = newScreen(t, 80, 24)
	s.ask("Fan out.")
	for i := range 14 {
		s.delegate(fmt.Sprint("agent ", i), true)
	}
	require.Contains(t, s.text(), "+5 more")
	s.send(pinnedAt(s, 9))
	require.Equal(t, root, s.open, "what counts the others is none of them:\n%s", s.text())
	s.send(pinnedAt(s, 8))
	require.Equal(t, lifecycle.SessionID("agent 8"), s.open)

	s = newScreen(t, 80, 24)
	s.ask("Fan out.")
	for _, name := range []string{"one", "two", "three"} {
		s.delegate(name, true)
	}
	s.end("one", "run one", lifecycle.Ended{State: lifecycle.StateCompleted, Result: "ok"})
	s.View()
	s.pass(2 * keep)
	require.Equal(t, 3, s.dock.Rows)
	s.send(pinnedAt(s, 2))
	require.Equal(t, root, s.open, "an empty row:\n%s", s.text())
	s.send(pinnedAt(s, 1))
	require.Equal(t, lifecycle.SessionID("three"), s.open)
}

func TestTheWheelMovesWhatIsInFront(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.worked()
	s.delegate("audit", true)
	s.keys("ctrl+t")
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	require.Equal(t, lifecycle.SessionID("audit"), s.dashboard.Lanes.Session)
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	require.Equal(t, root, s.dashboard.Lanes.Session)
	require.False(t, s.view().Held, "the conversation behind it stays where it is")
}
