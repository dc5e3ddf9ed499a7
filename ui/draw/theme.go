package draw

import (
	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// Styled is clean text with our colours, ready for the terminal. It is made by Paint.Draw, or by
// joining others.
type Styled string

// Paint is a look: the escape sequence that turns it on; empty for none.
type Paint struct{ on string }

// Draw draws a text in this look.
func (p Paint) Draw(t sanitize.Text) Styled {
	if p.on == "" || t == "" {
		return Styled(t)
	}
	return Styled(p.on + string(t) + "\x1b[m")
}

// Theme is the looks of the screen by meaning. Colours are given in full; the renderer reduces
// them to what the terminal has.
type Theme struct {
	Inks Palette

	Text, Strong, Dim, Faint Paint
	Accent, User             Paint
	Good, Warn, Bad          Paint
	Added, Removed, Code     Paint
	Selected                 Paint
	Cursor                   Paint // a mark under the timeline's cursor
}

// Tint is what the theme depends on: the terminal's background, the contrast the user needs, and
// the number of colours.
type Tint struct {
	Dark, Contrast bool
	Shades         Shades
}

// NewTheme returns the looks. Without colours only weights are left; with high contrast nothing
// is fainter than text.
func NewTheme(of Tint) Theme {
	inks := PaletteOf(of.Dark, of.Contrast, of.Shades)
	t := Theme{Inks: inks, Strong: Paint{"\x1b[1m"}}
	t.Dim, t.Faint = inks.dim.draws(), inks.faint.draws()
	t.Accent, t.User = inks.accent.draws(), inks.user.draws()
	t.Good, t.Warn, t.Bad = inks.good.draws(), inks.warn.draws(), inks.bad.draws()
	t.Code = inks.code.draws()
	t.Selected = Paint{t.Accent.on + "\x1b[1m"}
	switch {
	case of.Shades == Plain:
		t.Accent, t.User, t.Bad, t.Warn = t.Strong, t.Strong, t.Strong, t.Strong
		t.Selected = Paint{"\x1b[7m"}
	case of.Contrast:
		t.Selected = Paint{"\x1b[7m"}
	}
	if of.Shades != Many && !of.Contrast {
		t.Dim, t.Faint = Paint{"\x1b[2m"}, Paint{"\x1b[2m"}
	}
	t.Added, t.Removed = t.Good, t.Bad
	t.Cursor = Paint{t.Accent.on + "\x1b[7m"}
	return t
}

// State is the colour of a state. Its glyph says the same without colour.
func (t Theme) State(state lifecycle.State) Paint {
	switch state {
	case lifecycle.StateQueued:
		return t.Dim
	case lifecycle.StateRunning:
		return t.Accent
	case lifecycle.StateCompleted:
		return t.Good
	case lifecycle.StateCompletedEmpty, lifecycle.StateInterrupted, lifecycle.StateCanceledByUser, lifecycle.StateCanceledByAgent:
		return t.Warn
	case lifecycle.StateFailed:
		return t.Bad
	}
	return t.Text
}
