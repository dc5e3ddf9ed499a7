package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
)

// sequence is what a terminal is told past the screen. It is a type of its own, so
// that no text becomes one by accident: it is written here, or made of a
// sanitize.Text by a conversion that a test counts (doors_test.go).
type sequence string

// raw writes a sequence.
func raw(s sequence) tea.Cmd { return tea.Raw(string(s)) }

// toClipboard gives the terminal's clipboard a text.
func toClipboard(text sanitize.Clipping) tea.Cmd { return tea.SetClipboard(string(text)) }
