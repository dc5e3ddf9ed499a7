package pane

import (
	"strings"

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

// Join puts two panes next to each other, the left one first, and cuts what is wider than its
// pane. Both have the same number of lines. Lip Gloss would measure each line several times,
// which is most of what a picture costs: here it is once.
func Join(c draw.Canvas, left Pane, leftLines []draw.Styled, right Pane, rightLines []draw.Styled) []draw.Styled {
	bar := c.Theme.Faint.Draw(" " + c.Glyphs.Bar + " ")
	joined := make([]draw.Styled, len(leftLines))
	for i, line := range leftLines {
		cells := draw.Cells(line)
		if cells > left.Width {
			line = draw.Fit(line, left.Width)
			cells = draw.Cells(line) // less, where a wide character has no room
		}
		room := strings.Repeat(" ", left.Width-cells)
		joined[i] = line + draw.Styled(room) + bar + draw.Fit(rightLines[i], right.Width)
	}
	return joined
}
