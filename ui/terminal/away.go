package terminal

import (
	"io"

	tea "charm.land/bubbletea/v2"
)

// away is what has the terminal while a screen has let go of it.
type away func() error

// Run does it.
func (a away) Run() error { return a() }

// SetStdin does nothing, as the next two: it has the terminal itself, whatever streams it is offered.
func (away) SetStdin(io.Reader) {}

// SetStdout does nothing.
func (away) SetStdout(io.Writer) {}

// SetStderr does nothing.
func (away) SetStderr(io.Writer) {}

// Away lets go of the terminal while a function has it. What then makes of its error is the screen's
// next message.
func Away(while func() error, then func(error) tea.Msg) tea.Cmd { return tea.Exec(away(while), then) }
