package draw

import (
	"strings"

	"charm.land/lipgloss/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// Styled is clean text with our colours, ready for the terminal. It is made by Paint.Draw, or by
// joining others.
type Styled string

// Paint is a look; the zero Paint is plain text.
type Paint struct{ look *look }

// look is a style with the escape sequence that turns it on. The sequence is rendered once:
// drawing a line with the style itself would take many times as long.
type look struct {
	style lipgloss.Style
	on    string
}

// paintOf returns the paint of a style: its colours and weights, without margins or borders.
func paintOf(style lipgloss.Style) Paint {
	on, _, _ := strings.Cut(style.Render("x"), "x")
	if on == "" {
		return Paint{}
	}
	return Paint{&look{style, on}}
}

// on is the sequence that turns a paint on; empty for plain text.
func (p Paint) on() string {
	if p.look == nil {
		return ""
	}
	return p.look.on
}

// style is the style of a paint, to derive others from.
func (p Paint) style() lipgloss.Style {
	if p.look == nil {
		return lipgloss.NewStyle()
	}
	return p.look.style
}

// Draw draws a text in this look.
func (p Paint) Draw(t sanitize.Text) Styled {
	if p.look == nil || t == "" {
		return Styled(t)
	}
	return Styled(p.look.on + string(t) + off)
}

// Theme is the looks of the screen by meaning. Its palette has the colours that the
// terminal has, so that the renderer reduces none.
type Theme struct {
	Inks Palette

	Text, Strong, Dim, Faint Paint
	Accent, User             Paint
	Good, Warn, Bad          Paint
	Added, Removed, Code     Paint
	AddedPart, RemovedPart   Paint // of a line that was changed
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
	plain := lipgloss.NewStyle()
	t := Theme{Inks: inks, Strong: paintOf(plain.Bold(true))}
	t.Dim, t.Faint = inks.dim.draws(), inks.faint.draws()
	t.Accent, t.User = inks.accent.draws(), inks.user.draws()
	t.Good, t.Warn, t.Bad = inks.good.draws(), inks.warn.draws(), inks.bad.draws()
	t.Code = inks.code.draws()
	t.Selected = paintOf(t.Accent.style().Bold(true))
	switch {
	case of.Shades == Plain:
		t.Accent, t.User, t.Bad, t.Warn = t.Strong, t.Strong, t.Strong, t.Strong
		t.Selected = paintOf(plain.Reverse(true))
	case of.Contrast:
		t.Selected = paintOf(plain.Reverse(true))
	}
	if of.Shades < Indexed && !of.Contrast {
		t.Dim = paintOf(plain.Faint(true))
		t.Faint = t.Dim
	}
	t.Added, t.Removed = t.Good, t.Bad
	t.AddedPart = paintOf(t.Added.style().Bold(true).Underline(true))
	t.RemovedPart = paintOf(t.Removed.style().Bold(true).Underline(true))
	t.Cursor = paintOf(t.Accent.style().Reverse(true))
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
