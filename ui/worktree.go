package ui

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// branch is that of a run's own worktree; empty where it has none.
func (r cardRun) branch(c draw.Canvas) draw.Styled {
	if r.run.Branch == "" {
		return ""
	}
	return c.Theme.Dim.Draw(draw.Sprintf("on %s", sanitize.Line(r.run.Branch)))
}

// worktree is the line on what an ended run has left in its worktree.
func (r cardRun) worktree(c draw.Canvas) []draw.Styled {
	if c.Shut || r.run.Worktree == nil {
		return nil
	}
	return c.Paragraph(c.Theme.Dim, sanitize.Line("worktree: "+r.run.Worktree.Summary()))
}

func warnedOfOverlap(run lifecycle.Run) bool {
	return slices.ContainsFunc(run.Warnings, func(w lifecycle.Warned) bool { return w.Kind == lifecycle.WarnWriteOverlap })
}

// place is where the session that is shown works: the folder of all or, in a worktree of
// its own, that and its branch.
func (m *model) place(c draw.Canvas) draw.Styled {
	folder, branch := m.options.Folder, m.options.Branch
	if own := m.runs.of(m.open); own.Branch != "" {
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
	if own := m.runs.of(m.open); own.Branch != "" {
		return own.Folder
	}
	return m.options.Workspace
}
