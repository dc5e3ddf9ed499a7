package terminal

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Write writes a sequence.
func Write(s draw.Sequence) tea.Cmd { return tea.Raw(string(s)) }

// Copy gives the terminal's clipboard a text.
func Copy(text sanitize.Clipping) tea.Cmd { return tea.SetClipboard(string(text)) }
