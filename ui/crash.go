package ui

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"pawl/ui/terminal"
)

// crash is a bug that ended the screen, and the screen alone: what runs goes on in the
// session's host, and so do its other screens. Bubble Tea would print the stack over the
// terminal; here it goes to the log, and people get one line.
type crash struct{ what any }

func (c crash) Error() string {
	return fmt.Sprintf("a bug in Pawl ended the screen (%v); the session is saved: pawl --continue opens it", c.what)
}

func newCrash(what any) crash {
	slog.Error("the screen panicked", "panic", what, "stack", string(debug.Stack()))
	return crash{what}
}

// recoverUpdate ends the program in order after a panic in Update. It is deferred.
func (m *model) recoverUpdate(cmd *tea.Cmd) {
	if what := recover(); what != nil {
		m.crash = newCrash(what)
		*cmd = tea.Quit
	}
}

// recoverView does the same for View, which cannot quit: the next message does.
func (m *model) recoverView(view *tea.View) {
	if what := recover(); what != nil {
		m.crash = newCrash(what)
		m.picture.ready = true // or it would be drawn, and panic, again
		*view = m.picture.view
	}
}

// safely makes a command whose panic is a message.
func safely(cmd tea.Cmd) tea.Cmd {
	return terminal.Safely(cmd, func(what any) tea.Msg { return newCrash(what) })
}
