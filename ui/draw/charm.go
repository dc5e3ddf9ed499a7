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

// apart gives the lines of drawn text that was wrapped. Each has all of the looks that
// it is seen with, and ends them: any of them can be the first on the screen.
func apart(wrapped string) []Styled {
	var b strings.Builder
	w := lipgloss.NewWrapWriter(&b)
	_, _ = w.Write([]byte(wrapped)) // to a builder: nothing fails
	_ = w.Close()
	var lines []Styled
	for line := range strings.SplitSeq(b.String(), "\n") {
		lines = append(lines, Styled(line))
	}
	return lines
}
