package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
)

// raw writes a sequence.
func raw(s sequence) tea.Cmd { return tea.Raw(string(s)) }

// toClipboard gives the terminal's clipboard a text.
func toClipboard(text sanitize.Clipping) tea.Cmd { return tea.SetClipboard(string(text)) }
