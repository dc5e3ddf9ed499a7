package ui

import (
	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// place is where the session that is shown works: the folder of all or, in a worktree of
// its own, that and its branch.
func (m *model) place(c draw.Canvas) draw.Styled {
	folder, branch := m.options.Folder, m.options.Branch
	if own := m.runs.Latest(m.open); own.Branch != "" {
		folder, branch = "worktree", own.Branch
	}
	text := c.Theme.Dim.Draw(sanitize.Line(folder))
	if branch != "" {
		text += c.Theme.Faint.Draw(draw.Sprintf(" (%s)", sanitize.Line(branch)))
	}
	return text
}

// workplace is the folder whose files the shown session speaks of.
func (m *model) workplace() string {
	if own := m.runs.Latest(m.open); own.Branch != "" {
		return own.Folder
	}
	return m.options.Workspace
}
