package ui

import (
	"slices"
	"strconv"
	"strings"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// styled is text on its way to the terminal: clean, with colours of ours. It is
// made by paint.draw, or by joining others.
type styled string

// paint is a look: the escape sequence that turns it on, empty for none.
type paint struct{ on string }

func (p paint) draw(t sanitize.Text) styled {
	if p.on == "" || t == "" {
		return styled(t)
	}
	return styled(p.on + string(t) + "\x1b[m")
}

// theme is the looks that the screen knows, by what they mean. Colours are
// written in full and brought down to what the terminal has by the renderer.
type theme struct {
	dark, colour bool

	text, strong, dim, faint paint
	accent, user             paint
	good, warn, bad          paint
	added, removed, code     paint
	selected                 paint
}

// newTheme chooses the looks. Without colour only weights are left.
func newTheme(dark, colour bool) theme {
	t := theme{dark: dark, colour: colour, strong: paint{"\x1b[1m"}}
	if !colour {
		t.dim, t.faint, t.code = paint{"\x1b[2m"}, paint{"\x1b[2m"}, paint{}
		t.accent, t.user, t.bad, t.warn = t.strong, t.strong, t.strong, t.strong
		t.selected = paint{"\x1b[7m"}
		return t
	}
	pick := func(onDark, onLight string) paint {
		if dark {
			return foreground(onDark)
		}
		return foreground(onLight)
	}
	t.dim = pick("#8b919c", "#636975")
	t.faint = pick("#565c66", "#a3a9b3")
	t.accent = pick("#d9a55b", "#9a5f00")
	t.user = pick("#e8c48f", "#7a4b00")
	t.good = pick("#8fbf7f", "#3a7a2c")
	t.warn = pick("#e0b04f", "#946200")
	t.bad = pick("#e27878", "#b32d2d")
	t.added, t.removed = t.good, t.bad
	t.code = pick("#9ec1d9", "#1f5f85")
	t.selected = paint{t.accent.on + "\x1b[1m"}
	return t
}

func foreground(hex string) paint {
	n, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil {
		panic("ui: colour " + hex)
	}
	parts := []string{"38", "2", strconv.FormatUint(n>>16, 10), strconv.FormatUint(n>>8&0xff, 10), strconv.FormatUint(n&0xff, 10)}
	return paint{"\x1b[" + strings.Join(parts, ";") + "m"}
}

// of is the colour of a state. Its glyph says the same without colour.
func (t theme) of(state lifecycle.State) paint {
	switch state {
	case lifecycle.StateQueued:
		return t.dim
	case lifecycle.StateRunning:
		return t.accent
	case lifecycle.StateCompleted:
		return t.good
	case lifecycle.StateCompletedEmpty, lifecycle.StateInterrupted, lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent:
		return t.warn
	case lifecycle.StateFailed:
		return t.bad
	}
	return t.text
}

// glyphs are the signs of the screen, one cell each.
type glyphs struct {
	spinner                                         []sanitize.Text
	queued, done, empty, failed, stopped, withdrawn sanitize.Text
	interrupted, denied, told, warning, thought     sanitize.Text
	prompt, rule, more, bar, open, active, box      sanitize.Text
	attached                                        sanitize.Text
	back, dot, bars                                 sanitize.Text
	focus, turned                                   sanitize.Text
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

// terminal is what the variables say about colour and signs.
type terminal struct{ colour, ascii, links bool }

// readTerminal reads NO_COLOR, TERM and the locale as other programs do: the
// first of LC_ALL, LC_CTYPE and LANG that is set counts.
func readTerminal(env []string) terminal {
	get := func(name string) string {
		for _, entry := range slices.Backward(env) {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}
	locale := get("LC_ALL")
	for _, name := range []string{"LC_CTYPE", "LANG"} {
		if locale == "" {
			locale = get(name)
		}
	}
	locale = strings.ToLower(strings.ReplaceAll(locale, "-", ""))
	return terminal{
		colour: get("NO_COLOR") == "" && get("TERM") != "dumb",
		ascii:  !strings.Contains(locale, "utf8"),
		links:  takesLinks(get("TERM")),
	}
}
