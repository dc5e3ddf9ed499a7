package fleet

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/picturetest"
	"pawl/ui/terminal"
)

// unspaced is what of a text can be seen, without the spaces that wrapping moves.
func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }

// pane is what the selected session has of the screen.
func (s *screen) paneText() string {
	lines := strings.Split(s.text(), "\n")
	l := s.layout()
	var text strings.Builder
	for i, line := range lines {
		cells := []rune(line)
		switch {
		case l.beside && len(cells) > l.left+3:
			text.WriteString(string(cells[l.left+3:]) + "\n")
		case !l.beside && i >= s.picture.list+s.picture.rows:
			text.WriteString(line + "\n")
		}
	}
	return text.String()
}

// Whatever a command does to hide a part of itself: where it can be answered, all of it is seen.
func TestAQuestionIsAnsweredOnlyWhereAllOfItIsSeen(t *testing.T) {
	const harm = "rm -rf precious"
	answered := 0
	for name, command := range map[string]string{
		"short":           harm,
		"overwritten":     harm + "\rgit status" + strings.Repeat(" ", 20),
		"erased":          harm + "\x1b[2K\x1b[1Ggit status",
		"drawn over":      harm + "\x1b[5Agit status\x1b[2J",
		"backspaces":      harm + strings.Repeat("\b", len(harm)) + "git status",
		"concealed":       "git status\x1b[8m; " + harm + "\x1b[28m",
		"far to the side": "git status" + strings.Repeat(" ", 3000) + "; " + harm,
		"far below":       "git status" + strings.Repeat("\n", 300) + harm,
		"far behind":      "echo " + strings.Repeat("long ", 900) + "; " + harm,
		"one long word":   "echo " + strings.Repeat("x", 400) + ";" + harm,
		"other direction": "git status \u202e; " + harm + "\u2066",
		"no width":        "git\u200b status; r\u200bm -rf precious",
		"next line":       "git status\u0085" + harm + "\u2028\v\f",
	} {
		for _, size := range [][2]int{{80, 24}, {40, 10}, {120, 40}, {200, 60}, {62, 17}} {
			s := newScreen(size[0], size[1])
			s.send(Picture{Sessions: []Session{{ID: "aa", Title: "one", Need: NeedsYou, Hosted: true, Question: &lifecycle.Question{ID: "q", Tool: "shell", Subject: command}}}})
			if s.layout().over {
				s.keys("space")
			}
			s.pass(settled)
			s.keys("y")
			if s.asking.answered == "" {
				continue
			}
			answered++
			require.Contains(t, unspaced(s.paneText()), unspaced(string(sanitize.Clean(command))), "%s in %v", name, size)
		}
	}
	require.Greater(t, answered, 20)
}

func TestAnAnswerThatIsNotTakenCanBeGivenAgain(t *testing.T) {
	err := errors.New("its host does not answer")
	s := newScreen(80, 24, func(o *Options, _ *terminal.Features) {
		o.Answer = func(context.Context, lifecycle.SessionID, lifecycle.QuestionID, bool) error { return err }
	})
	s.send(twelve(epoch))
	s.pass(settled)
	s.keys("n")
	require.Contains(t, s.text(), "its host does not answer")
	s.pass(settled)
	err = nil
	s.keys("n")
	require.Contains(t, s.text(), "refused: shell git push origin refunds")
}

func TestAKeyThatIsKeptDownMoves(t *testing.T) {
	s := newScreen(80, 24)
	s.send(twelve(epoch))
	s.typed("jjjk")
	s.send(heldDue{s.holds})
	require.Equal(t, 2, s.board.at())
	require.Nil(t, s.input)
	s.typed("jjust now")
	require.Equal(t, "jjust now", s.input.Text)
}

func TestTheWheelGoesBackInTheConversation(t *testing.T) {
	s := newScreen(80, 24)
	s.send(twelve(epoch))
	s.keys("down", "down")
	require.NotContains(t, s.text(), "read refund.go")
	for range 2 {
		s.send(tea.MouseWheelMsg{X: 10, Y: 20, Button: tea.MouseWheelUp})
	}
	require.Contains(t, s.text(), "read refund.go")
	s.pass(time.Minute)
	for range 9 {
		s.send(tea.MouseWheelMsg{X: 10, Y: 20, Button: tea.MouseWheelDown})
	}
	require.Contains(t, s.text(), "tests come last")
}

func TestTheTitleOfTheWindowSaysWhoNeedsYou(t *testing.T) {
	s := newScreen(80, 24)
	require.Equal(t, "pawl fleet", s.View().WindowTitle)
	s.send(twelve(epoch))
	require.Equal(t, "? pawl fleet (2 need you)", s.View().WindowTitle)
	picturetest.RequireInert(t, s.View().WindowTitle)
}
