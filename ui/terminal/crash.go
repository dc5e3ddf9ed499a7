package terminal

import (
	"fmt"
	"log/slog"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

// Crash is a bug that ended a screen, and the screen alone: the sessions go on in their hosts.
// Bubble Tea would print the stack over the terminal; here it goes to the log, and people get one
// line. The zero Crash is none.
type Crash struct {
	what  any
	words CrashWords
}

func (c Crash) Error() string { return fmt.Sprintf(string(c.words), c.what) }

// Happened reports whether there was one.
func (c Crash) Happened() bool { return c.what != nil }

// CrashWords are what people are told of a crash, with %v where the bug stands.
type CrashWords string

func (w CrashWords) of(what any) Crash {
	slog.Error("the screen panicked", "panic", what, "stack", string(debug.Stack()))
	return Crash{what, w}
}

// InUpdate ends the program in order after a panic in Update. It is deferred.
func (w CrashWords) InUpdate(crash *Crash, cmd *tea.Cmd) {
	if what := recover(); what != nil {
		*crash = w.of(what)
		*cmd = tea.Quit
	}
}

// InView does the same for View, which cannot quit: the next message does, and instead says what is
// shown meanwhile. It is deferred.
func (w CrashWords) InView(crash *Crash, instead func()) {
	if what := recover(); what != nil {
		*crash = w.of(what)
		instead()
	}
}

// Safely makes a command whose panic is a message, a Crash.
func (w CrashWords) Safely(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if what := recover(); what != nil {
				msg = w.of(what)
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i, one := range batch {
				batch[i] = w.Safely(one)
			}
		}
		return msg
	}
}
