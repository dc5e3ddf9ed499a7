package ui

import (
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
	inks palette

	text, strong, dim, faint paint
	accent, user             paint
	good, warn, bad          paint
	added, removed, code     paint
	selected                 paint
	cursor                   paint // on a mark of the timeline
}

// tint is what the looks depend on: the background of the terminal, what the user
// can tell apart, and how many colours there are.
type tint struct {
	dark, contrast bool
	shades         shades
}

// newTheme chooses the looks. Without colour only weights are left, and high
// contrast has none that is fainter than the text.
func newTheme(of tint) theme {
	inks := paletteOf(of.dark, of.contrast, of.shades)
	t := theme{inks: inks, strong: paint{"\x1b[1m"}}
	t.dim, t.faint = inks.dim.draws(), inks.faint.draws()
	t.accent, t.user = inks.accent.draws(), inks.user.draws()
	t.good, t.warn, t.bad = inks.good.draws(), inks.warn.draws(), inks.bad.draws()
	t.code = inks.code.draws()
	t.selected = paint{t.accent.on + "\x1b[1m"}
	switch {
	case of.shades == plain:
		t.accent, t.user, t.bad, t.warn = t.strong, t.strong, t.strong, t.strong
		t.selected = paint{"\x1b[7m"}
	case of.contrast:
		t.selected = paint{"\x1b[7m"}
	}
	if of.shades != many && !of.contrast {
		t.dim, t.faint = paint{"\x1b[2m"}, paint{"\x1b[2m"}
	}
	t.added, t.removed = t.good, t.bad
	t.cursor = paint{t.accent.on + "\x1b[7m"}
	return t
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
