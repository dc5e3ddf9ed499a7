package draw

import (
	"charm.land/bubbles/v2/spinner"

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
