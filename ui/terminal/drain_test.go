package terminal

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"
)

func TestWhatAProgramTakesNoMoreIsTaken(t *testing.T) {
	program := tea.NewProgram(nil)
	require.NotNil(t, messagesOf(program), "Bubble Tea keeps its messages elsewhere: see messagesOf")
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		Drain(program, over)
	}()
	program.Send(tea.KeyPressMsg{})
	program.Send(tea.KeyPressMsg{})
	close(over)
	<-done
}
