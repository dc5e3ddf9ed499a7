package host

import (
	"context"
	"fmt"
	"strings"

	"pawl/internal/handover"
	"pawl/internal/hosted"
	"pawl/internal/words"
	"pawl/ui/headless"
)

const (
	hangUpSignal = headless.ExitSIGHUP - 128
	exitHangUp   = headless.ExitSIGHUP
)

// goodbye says how to come back, if the session was saved.
func (h *host) goodbye() string {
	if _, err := h.session.Store.Session(context.Background(), string(h.session.Root)); err != nil {
		return ""
	}
	return fmt.Sprintf("To go on: pawl --session %s", h.session.Root)
}

// goesOn says what goes on without the terminal that is given back, and how to see it again.
func (h *host) goesOn() string {
	return fmt.Sprintf("%s: pawl attach %s", h.what(), hosted.ShortID(h.session.Root))
}

func (h *host) what() string {
	subagents, commands, parent := h.state.running()
	var parts []string
	many := subagents + commands
	if parent {
		parts = append(parts, "the main agent")
		many++
	}
	if subagents > 0 {
		parts = append(parts, words.Count(subagents, "subagent"))
	}
	if commands > 0 {
		parts = append(parts, words.Count(commands, "command"))
	}
	switch many {
	case 0:
		if h.state.acting() {
			return "what another program has begun here goes on"
		}
		return "the session is open " + h.where()
	case 1:
		return strings.Join(parts, "") + " goes on"
	}
	return words.List(parts) + " go on"
}

// openElsewhere says that a session goes on after a user has quit.
func (h *host) openElsewhere() string {
	return "the session is open " + h.where() + ": pawl attach " + hosted.ShortID(h.session.Root)
}

// where says who else has the session.
func (h *host) where() string {
	if h.owner != nil && len(h.screens) == 0 {
		return "in " + h.owner.name
	}
	return "on another screen"
}

// watchFront ends a screen when its front is gone or was sent a signal, until done is closed.
func watchFront(front *handover.Conn, end context.CancelCauseFunc, done <-chan struct{}) {
	select {
	case <-front.Gone():
		end(errGone{hangUpSignal})
	case signal := <-front.Signals():
		end(errGone{signal})
	case <-done:
	}
}
