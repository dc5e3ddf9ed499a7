package draw

import (
	"strings"

	"charm.land/bubbles/v2/spinner"
	"charm.land/lipgloss/v2"

	"pawl/agent/sanitize"
)

// The libraries of the screen, Lip Gloss and Bubbles, speak in strings. What becomes of
// clean text in their hands, and what they give back, passes through this file alone.

// frames are the signs of a spinner, one by one.
func frames(of spinner.Spinner) []sanitize.Text {
	signs := make([]sanitize.Text, len(of.Frames))
	for i, frame := range of.Frames {
		signs[i] = sanitize.Text(frame)
	}
	return signs
}

// Beside draws lines in a column so wide, and others at its right. No line of the first
// may be wider.
func Beside(left []Styled, width int, right []Styled) []Styled {
	column := lipgloss.PlaceHorizontal(width, lipgloss.Left, JoinLines(left))
	return lines(lipgloss.JoinHorizontal(lipgloss.Top, column, JoinLines(right)))
}

// apart gives the lines of drawn text that was wrapped. Each has all of the looks that
// it is seen with, and ends them: any of them can be the first on the screen.
func apart(wrapped string) []Styled {
	var b strings.Builder
	w := lipgloss.NewWrapWriter(&b)
	_, _ = w.Write([]byte(wrapped)) // to a builder: nothing fails
	_ = w.Close()
	return lines(b.String())
}

// lines takes a block of drawn lines apart.
func lines(block string) []Styled {
	var drawn []Styled
	for line := range strings.SplitSeq(block, "\n") {
		drawn = append(drawn, Styled(line))
	}
	return drawn
}
