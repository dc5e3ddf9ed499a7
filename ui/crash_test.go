package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

func TestAPanicOfTheScreenIsOneLine(t *testing.T) {
	for name, breakIt := range map[string]func(*screen) tea.Cmd{
		"in a message": func(s *screen) tea.Cmd {
			s.composers = nil
			_, cmd := s.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
			return cmd
		},
		"in a command": func(s *screen) tea.Cmd {
			msg := s.after(func() tea.Msg { panic("boom") })()
			_, cmd := s.Update(msg)
			return cmd
		},
		"in drawing": func(s *screen) tea.Cmd {
			s.views = nil
			s.picture.ready = false
			_ = s.View()
			_, cmd := s.Update(tea.ResumeMsg{})
			return cmd
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(t, 80, 24)
			cmd := breakIt(s)
			require.NotNil(t, cmd)
			require.True(t, s.crash.Happened(), "the program ends in order")
			require.NotContains(t, s.crash.Error(), "\n")
			require.Contains(t, s.crash.Error(), "pawl --continue")
		})
	}
}
