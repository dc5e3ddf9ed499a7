package fleet

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"pawl/ui/terminal"
)

// crash is a bug that ended the screen, and nothing else: the sessions go on.
type crash struct{ what any }

func (c crash) Error() string {
	return fmt.Sprintf("a bug in Pawl ended the list of sessions (%v); they go on: pawl ps lists them", c.what)
}

func newCrash(what any) crash {
	slog.Error("the fleet panicked", "panic", what, "stack", string(debug.Stack()))
	return crash{what}
}

// safely makes a command whose panic is a message.
func safely(cmd tea.Cmd) tea.Cmd {
	return terminal.Safely(cmd, func(what any) tea.Msg { return newCrash(what) })
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
