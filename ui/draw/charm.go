package draw

import (
	"strings"

	"charm.land/bubbles/v2/spinner"
	"charm.land/lipgloss/v2"

	"pawl/agent/sanitize"
)

// Lip Gloss and Bubbles take and return plain strings. What they return becomes a drawn type in
// this file only.

// frames are the signs of a spinner.
func frames(of spinner.Spinner) []sanitize.Text {
	signs := make([]sanitize.Text, len(of.Frames))
	for i, frame := range of.Frames {
		signs[i] = sanitize.Text(frame)
	}
	return signs
}

// Beside draws two columns next to each other, the left one padded to a width. No line of it may
// be wider.
func Beside(left []Styled, width int, right []Styled) []Styled {
	column := lipgloss.PlaceHorizontal(width, lipgloss.Left, JoinLines(left))
	return lines(lipgloss.JoinHorizontal(lipgloss.Top, column, JoinLines(right)))
}

// bordered draws a border around lines of one width, but for its upper side.
func (c Canvas) bordered(inside []Styled) []Styled {
	style := lipgloss.NewStyle().Border(lipgloss.RoundedBorder(), false, true, true).Padding(0, 1)
	if ink := c.Theme.Inks.faint; ink != "" {
		style = style.BorderForeground(lipgloss.Color(string(ink)))
	}
	return lines(style.Render(JoinLines(inside)))
}

// apart returns the lines of drawn text that was wrapped. Each line repeats the looks in force and
// ends them, so that any of them can be the first on the screen.
func apart(wrapped string) []Styled {
	var b strings.Builder
	w := lipgloss.NewWrapWriter(&b)
	_, _ = w.Write([]byte(wrapped)) // a builder never fails
	_ = w.Close()
	return lines(b.String())
}

// lines splits a drawn block.
func lines(block string) []Styled {
	var drawn []Styled
	for line := range strings.SplitSeq(block, "\n") {
		drawn = append(drawn, Styled(line))
	}
	return drawn
}
