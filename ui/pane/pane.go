package pane

import (
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// Pane is a session on the screen: Width columns from column X on.
type Pane struct {
	Session  lifecycle.SessionID
	X, Width int
}

// Holds reports whether a column of the screen is the pane's.
func (p Pane) Holds(x int) bool { return x >= p.X && x < p.X+p.Width }

// gutter is what stands between two panes: a bar with a blank on both sides.
const gutter = 3

// Join puts two panes next to each other, the left one so wide. Both have the same number of
// lines, and none is wider than its pane.
func Join(c draw.Canvas, left []draw.Styled, width int, right []draw.Styled) []draw.Styled {
	if len(left) == 0 { // else Lip Gloss makes a row of it
		return nil
	}
	bar := c.Theme.Faint.Draw(" " + c.Glyphs.Bar + " ")
	barred := make([]draw.Styled, len(right))
	for i, line := range right {
		barred[i] = bar + line
	}
	return draw.Beside(left, width, barred)
}
