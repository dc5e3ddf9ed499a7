package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// raw writes a sequence.
func raw(s draw.Sequence) tea.Cmd { return tea.Raw(string(s)) }

// toClipboard gives the terminal's clipboard a text.
func toClipboard(text sanitize.Clipping) tea.Cmd { return tea.SetClipboard(string(text)) }
