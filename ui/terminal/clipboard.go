package terminal

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Write writes a sequence to the terminal.
func Write(s draw.Sequence) tea.Cmd { return tea.Raw(string(s)) }

// Copy puts a text on the terminal's clipboard.
func Copy(text sanitize.Clipping) tea.Cmd { return tea.SetClipboard(string(text)) }
