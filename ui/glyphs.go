package ui

import (
	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// glyphs are the signs of the screen, one cell each.
type glyphs struct {
	spinner                                         []sanitize.Text
	queued, done, empty, failed, stopped, withdrawn sanitize.Text
	interrupted, denied, told, warning, thought     sanitize.Text
	prompt, rule, more, bar, open, active, box      sanitize.Text
	attached                                        sanitize.Text
	back, dot, bars                                 sanitize.Text
	focus, turned                                   sanitize.Text
	lane                                            laneSigns
	play, hold                                      sanitize.Text
}

func newGlyphs(ascii bool) glyphs {
	if ascii {
		return glyphs{
			spinner: []sanitize.Text{"|", "/", "-", "\\"},
			queued:  ".", done: "+", empty: "0", failed: "x", stopped: "#", withdrawn: "%",
			interrupted: "!", denied: "-", told: "<", warning: "!", thought: "~",
			attached: "=",
			prompt:   ">", rule: "-", more: "...", bar: "|", open: "o", active: "*", box: "-",
			back: "<-", dot: "-", bars: "=",
			focus: "|", turned: "\\",
			lane: newLaneSigns(ascii),
			play: ">", hold: "#",
		}
	}
	return glyphs{
		spinner: []sanitize.Text{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
		queued:  "◌", done: "✓", empty: "∅", failed: "✗", stopped: "■", withdrawn: "□",
		interrupted: "↯", denied: "⊘", told: "◂", warning: "▲", thought: "∴",
		attached: "▤",
		prompt:   "›", rule: "─", more: "…", bar: "│", open: "☐", active: "◐", box: "☑",
		back: "←", dot: "·", bars: "━",
		focus: "┃", turned: "↪",
		lane: newLaneSigns(ascii),
		play: "▸", hold: "‖",
	}
}

// of is the sign of a state; a running one moves with the clock.
func (g glyphs) of(state lifecycle.State, frame int) sanitize.Text {
	switch state {
	case lifecycle.StateQueued:
		return g.queued
	case lifecycle.StateRunning:
		return g.spinner[frame%len(g.spinner)]
	case lifecycle.StateCompleted:
		return g.done
	case lifecycle.StateCompletedEmpty:
		return g.empty
	case lifecycle.StateFailed:
		return g.failed
	case lifecycle.StateCanceledByUser:
		return g.stopped
	case lifecycle.StateCanceledByAgent:
		return g.withdrawn
	case lifecycle.StateInterrupted:
		return g.interrupted
	}
	return g.dot
}

// laneSigns are the signs of the timeline that stand nowhere else, one cell each.
type laneSigns struct {
	queued, works, model, tool, faulty, question, waiting sanitize.Text // stretches
	mixed                                                 sanitize.Text // a model and tools that were shorter
	message, compact, detached                            sanitize.Text // moments
}

func newLaneSigns(ascii bool) laneSigns {
	if ascii {
		return laneSigns{
			queued: ".", works: "_", model: "=", tool: "@", faulty: "&", question: "?", waiting: "~", mixed: "I",
			message: ">", compact: ":", detached: "^",
		}
	}
	return laneSigns{
		queued: "·", works: "─", model: "━", tool: "█", faulty: "▓", question: "?", waiting: "~", mixed: "╋",
		message: "▸", compact: "≡", detached: "↗",
	}
}

// steady has a sign of what runs that does not turn.
func (g glyphs) steady(ascii bool) glyphs {
	g.spinner = []sanitize.Text{"●"}
	if ascii {
		g.spinner = []sanitize.Text{"*"}
	}
	return g
}

// Signs that a note asks for by name; the canvas has the one to draw.
const (
	dot         sanitize.Text = "·"
	toldSign    sanitize.Text = "told"
	warningSign sanitize.Text = "warning"
	deniedSign  sanitize.Text = "denied"
	failedSign  sanitize.Text = "failed"
	stoppedSign sanitize.Text = "stopped"
	cutOffSign  sanitize.Text = "interrupted"
	emptySign   sanitize.Text = "empty"
)

// named finds the sign of a note.
func (g glyphs) named(sign sanitize.Text) sanitize.Text {
	switch sign {
	case toldSign:
		return g.told
	case warningSign:
		return g.warning
	case deniedSign:
		return g.denied
	case failedSign:
		return g.failed
	case stoppedSign:
		return g.stopped
	case cutOffSign:
		return g.interrupted
	case emptySign:
		return g.empty
	}
	return g.dot
}
