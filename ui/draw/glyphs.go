package draw

import (
	"charm.land/bubbles/v2/spinner"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// Glyphs are the signs of the screen, one cell each.
type Glyphs struct {
	Spinner                                         []sanitize.Text
	queued, Done, empty, Failed, Stopped, withdrawn sanitize.Text
	Interrupted, Denied, Told, Warning, Thought     sanitize.Text
	Prompt, Rule, More, Bar, Open, Active, Box      sanitize.Text
	Attached                                        sanitize.Text
	Back, Dot, Bars                                 sanitize.Text
	Focus, turned                                   sanitize.Text
	Lane                                            laneSigns
	Play, Hold                                      sanitize.Text
	Asks, Barred                                    sanitize.Text   // in the place of a state: it asks; it completed, but something was denied
	spark                                           []sanitize.Text // from nothing to the most; none with reduced motion
}

// NewGlyphs returns the signs in UTF-8 or in ASCII.
func NewGlyphs(ascii bool) Glyphs {
	if ascii {
		return Glyphs{
			Spinner: frames(spinner.Line),
			queued:  ".", Done: "+", empty: "0", Failed: "x", Stopped: "#", withdrawn: "%",
			Interrupted: "!", Denied: "-", Told: "<", Warning: "!", Thought: "~",
			Attached: "=",
			Prompt:   ">", Rule: "-", More: "...", Bar: "|", Open: "o", Active: "*", Box: "-",
			Back: "<-", Dot: "-", Bars: "=",
			Focus: "|", turned: "\\",
			Lane: newLaneSigns(ascii),
			Play: ">", Hold: "#",
			Asks: "?", Barred: "!",
			spark: []sanitize.Text{"_", ".", ",", ":", "-", "=", "+", "*", "#"},
		}
	}
	return Glyphs{
		Spinner: frames(spinner.MiniDot),
		queued:  "◌", Done: "✓", empty: "∅", Failed: "✗", Stopped: "■", withdrawn: "□",
		Interrupted: "↯", Denied: "⊘", Told: "◂", Warning: "▲", Thought: "∴",
		Attached: "▤",
		Prompt:   "›", Rule: "─", More: "…", Bar: "│", Open: "☐", Active: "◐", Box: "☑",
		Back: "←", Dot: "·", Bars: "━",
		Focus: "┃", turned: "↪",
		Lane: newLaneSigns(ascii),
		Play: "▸", Hold: "‖",
		Asks: "?", Barred: "!",
		spark: []sanitize.Text{"▁", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
	}
}

// State is the sign of a state; that of a running one depends on the frame.
func (g Glyphs) State(state lifecycle.State, frame int) sanitize.Text {
	switch state {
	case lifecycle.StateQueued:
		return g.queued
	case lifecycle.StateRunning:
		return g.Spinner[frame%len(g.Spinner)]
	case lifecycle.StateCompleted:
		return g.Done
	case lifecycle.StateCompletedEmpty:
		return g.empty
	case lifecycle.StateFailed:
		return g.Failed
	case lifecycle.StateCanceledByUser:
		return g.Stopped
	case lifecycle.StateCanceledByAgent:
		return g.withdrawn
	case lifecycle.StateInterrupted:
		return g.Interrupted
	}
	return g.Dot
}

// laneSigns are the signs of the timeline only, one cell each.
type laneSigns struct {
	Queued, Works, Model, Tool, Faulty, Question, Waiting sanitize.Text // with a duration
	Mixed                                                 sanitize.Text // a model and tools too short to show
	Awaits, Cut                                           sanitize.Text // a call that waits for other runs; time that is left out
	Message, Compact, Placed, Detached, Landed, Rewound   sanitize.Text // moments
}

func newLaneSigns(ascii bool) laneSigns {
	if ascii {
		return laneSigns{
			Queued: ".", Works: "_", Model: "=", Tool: "@", Faulty: "&", Question: "?", Waiting: "~", Mixed: "I",
			Awaits: "-", Cut: "/",
			Message: ">", Compact: ":", Placed: "%", Detached: "^", Landed: "v", Rewound: "u",
		}
	}
	return laneSigns{
		Queued: "·", Works: "─", Model: "━", Tool: "█", Faulty: "▓", Question: "?", Waiting: "~", Mixed: "╋",
		Awaits: "┄", Cut: "┊",
		Message: "▸", Compact: "≡", Placed: "⌂", Detached: "↗", Landed: "↓", Rewound: "↶",
	}
}

// Steady returns the signs without a moving spinner or spark.
func (g Glyphs) Steady(ascii bool) Glyphs {
	g.spark = nil
	g.Spinner = []sanitize.Text{"●"}
	if ascii {
		g.Spinner = []sanitize.Text{"*"}
	}
	return g
}

// Moves reports whether a sign may move: not with reduced motion.
func (g Glyphs) Moves() bool { return len(g.Spinner) > 1 }

// Names of signs that a note asks for; Named returns the sign.
const (
	Dot         sanitize.Text = "·"
	ToldSign    sanitize.Text = "told"
	WarningSign sanitize.Text = "warning"
	DeniedSign  sanitize.Text = "denied"
	FailedSign  sanitize.Text = "failed"
	StoppedSign sanitize.Text = "stopped"
	CutOffSign  sanitize.Text = "interrupted"
	EmptySign   sanitize.Text = "empty"
)

// Named returns the sign of a note.
func (g Glyphs) Named(sign sanitize.Text) sanitize.Text {
	switch sign {
	case ToldSign:
		return g.Told
	case WarningSign:
		return g.Warning
	case DeniedSign:
		return g.Denied
	case FailedSign:
		return g.Failed
	case StoppedSign:
		return g.Stopped
	case CutOffSign:
		return g.Interrupted
	case EmptySign:
		return g.empty
	}
	return g.Dot
}
