package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

func TestAPanicOfTheScreenIsOneLine(t *testing.T) {
	for name, breakIt := range map[string]func(*screen) tea.Cmd{
		"in a message": func(s *screen) tea.Cmd {
			s.model.composers = nil
			_, cmd := s.model.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
			return cmd
		},
		"in a command": func(s *screen) tea.Cmd {
			msg := safely(func() tea.Msg { panic("boom") })()
			_, cmd := s.model.Update(msg)
			return cmd
		},
		"in drawing": func(s *screen) tea.Cmd {
			s.model.views = nil
			s.model.picture.ready = false
			_ = s.model.View()
			_, cmd := s.model.Update(tea.ResumeMsg{})
			return cmd
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScreen(t, 80, 24)
			cmd := breakIt(s)
			require.NotNil(t, cmd)
			require.NotNil(t, s.model.crash.what, "the program ends in order")
			require.NotContains(t, s.model.crash.Error(), "\n")
			require.Contains(t, s.model.crash.Error(), "pawl --continue")
		})
	}
}
