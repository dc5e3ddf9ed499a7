package ui

import (
	"pawl/agent/sanitize"
)

// deaf reports whether the session that is shown takes no messages.
func (m *model) deaf() bool { return m.runs.Latest(m.open).Shell() }

// shellHears answers who types to a shell.
const shellHears sanitize.Text = "a command takes no messages"
