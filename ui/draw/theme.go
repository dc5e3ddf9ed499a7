package draw

import (
	"strings"

	"charm.land/lipgloss/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// Styled is text on its way to the terminal: clean, with colours of ours. It is
// made by paint.draw, or by joining others.
type Styled string

// Paint is a look, the zero one that of the terminal's own text.
type Paint struct{ look *look }

// look is a style and what turns it on: that is worked out once, for all of what a style
// can do besides costs fifty times as much as to draw.
type look struct {
	style lipgloss.Style
	on    string
}

// paintOf is the paint of a style, of which it takes what needs no room.
func paintOf(style lipgloss.Style) Paint {
	on, _, _ := strings.Cut(style.Render("x"), "x")
	if on == "" {
		return Paint{}
	}
	return Paint{&look{style, on}}
}

// on is what turns a paint on, empty for none.
func (p Paint) on() string {
	if p.look == nil {
		return ""
	}
	return p.look.on
}

// style is what to make a stronger paint of.
func (p Paint) style() lipgloss.Style {
	if p.look == nil {
		return lipgloss.NewStyle()
	}
	return p.look.style
}

// Draw gives a text this look.
func (p Paint) Draw(t sanitize.Text) Styled {
	if p.look == nil || t == "" {
		return Styled(t)
	}
	return Styled(p.look.on + string(t) + off)
}

// Theme is the looks that the screen knows, by what they mean. Colours are
// written in full and brought down to what the terminal has by the renderer.
type Theme struct {
	Inks Palette

	Text, Strong, Dim, Faint Paint
	Accent, User             Paint
	Good, Warn, Bad          Paint
	Added, Removed, Code     Paint
	AddedPart, RemovedPart   Paint // of a line that was changed
	Selected                 Paint
	Cursor                   Paint // on a mark of the timeline
}

// Tint is what the looks depend on: the background of the terminal, what the user
// can tell apart, and how many colours there are.
type Tint struct {
	Dark, Contrast bool
	Shades         Shades
}

// NewTheme chooses the looks. Without colour only weights are left, and high
// contrast has none that is fainter than the text.
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
	if of.Shades != Many && !of.Contrast {
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
