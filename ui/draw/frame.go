package draw

import "pawl/agent/sanitize"

// BorderedFrom is the least height of a screen, in rows, on which what floats in front of the
// conversation has a border: a lower one has no row to spare.
const BorderedFrom = 18

// frameCells is what a border takes of a line at each side, with a blank beside it.
const frameCells = 2

// Inside returns the canvas for what is inside a frame.
func (c Canvas) Inside() Canvas {
	if !c.Borders {
		return c
	}
	return c.Narrow(2 * frameCells)
}

// FrameRows is how many rows a frame takes above what is inside it, and below.
func (c Canvas) FrameRows() (above, below int) {
	if !c.Borders {
		return 1, 0
	}
	return 1, 1
}

// FrameCells is how many cells a frame takes at the left of what is inside it.
func (c Canvas) FrameCells() int {
	if !c.Borders {
		return 0
	}
	return frameCells
}

// Framed draws a border around lines that were drawn on the canvas inside it, with words near the
// end of its upper side; on a low screen it is a rule above them.
func (c Canvas) Framed(words sanitize.Text, lines []Styled) []Styled {
	return c.FramedAfter("", words, lines)
}

// FramedAfter is Framed with something drawn near the beginning of the upper side, if there is any.
func (c Canvas) FramedAfter(first Styled, words sanitize.Text, lines []Styled) []Styled {
	if !c.Borders {
		return append([]Styled{c.RuledAfter(first, words)}, lines...)
	}
	inner := c.Inside()
	for i, line := range lines {
		lines[i] = Pad(Fit(line, inner.Width), inner.Width)
	}
	corner := c.Theme.Faint.Draw
	top := corner("╭") + c.Narrow(2).RuledAfter(first, words) + corner("╮")
	return append([]Styled{top}, c.bordered(lines)...)
}
