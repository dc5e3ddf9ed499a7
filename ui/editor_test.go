package ui

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// editedBy runs an editor on the line, and takes its word as the program would.
func editedBy(s *screen, edit func(text string) (string, error), meanwhile ...tea.Msg) {
	s.options.Edit = func(_ context.Context, text string) (string, error) { return edit(text) }
	e := s.editor()
	done := e.done(e.Run())
	for _, msg := range meanwhile {
		s.send(msg)
	}
	s.send(done)
}

func TestTheEditorsTextStandsInTheLine(t *testing.T) {
	s := newScreen(t, 80, 24)
	log := pastedLines("log", 30)
	s.typed("why ")
	s.send(tea.PasteMsg{Content: log})
	editedBy(s, func(text string) (string, error) {
		require.Equal(t, "why "+log, text)
		return "Say why:\r\n" + log + "and where\n", nil
	})
	require.Equal(t, "Say why:\n"+log+"and where", s.line().Text)
	require.Contains(t, s.text(), "› Say why:\n  [paste 1: 30 lines]and where\n")
	s.keys("ctrl+_")
	require.Equal(t, "why "+log, s.line().Text)
}

func TestWhereTheEditorFailsTheLineStays(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("mine")
	editedBy(s, func(string) (string, error) { return "", errors.New("vi ended with exit code 1") })
	require.Equal(t, "mine", s.line().Text)
	require.Contains(t, s.text(), "the line is unchanged: vi ended with exit code 1")
}

func TestWhatCameBackWhileTheEditorWasOpenIsKept(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.ask("go")
	s.log(root, "r1", lifecycle.MessageQueued{Message: lifecycle.Message{ID: "m", From: lifecycle.FromUser, Text: "returned"}})
	s.typed("mine")
	back := lifecycle.MessageWithdrawn{Message: "m", Returned: true, From: lifecycle.FromUser, Text: "returned"}
	editedBy(s, func(string) (string, error) { return "edited\n", nil },
		lifecycle.Updates{Records: s.records(root, "r1", back)})
	require.Equal(t, "returned\nedited", s.line().Text)
}

func TestWithoutAnEditorTheKeySaysSo(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.keys("ctrl+g")
	require.Contains(t, s.text(), "no editor is available here")
}

func TestWhatAnEditorWroteIsNotLostToALineThatChanged(t *testing.T) {
	s := newScreen(t, 80, 24)
	s.typed("look at /tmp/shot.png")
	s.line().Set("look at @shot.png")
	s.send(rewritten{session: root, before: "look at /tmp/shot.png", after: "much better words\n"})
	require.Equal(t, "look at @shot.png", s.line().Text)
	require.Contains(t, s.text(), "ctrl+y")
	s.keys("ctrl+u", "ctrl+y")
	require.Equal(t, "look at @shot.png", s.line().Text, "the newest cut comes first")
	s.keys("alt+y")
	require.Equal(t, "much better words", s.line().Text)
	s.send(rewritten{session: root, err: errors.New("no editor")})
	require.Contains(t, s.text(), "no editor")
}
