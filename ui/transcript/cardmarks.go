package transcript

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// Marks returns the warnings on a card, most important first, and whether its end has been read by
// its user and the parent's model.
func (r Card) Marks(c draw.Canvas) []draw.Styled {
	return append(r.warnings(c), r.unread(c)...)
}

// warnings are what is wrong with a run, not saved, denied calls, taking too long; and what waits for
// its user: changes to land.
func (r Card) warnings(c draw.Canvas) []draw.Styled {
	var marks []draw.Styled
	run, live := r.Run, !r.Run.State.Terminal()
	if r.Unsaved {
		marks = append(marks, c.Theme.Bad.Draw("not saved"))
	}
	if !run.StopRequestedAt.IsZero() && live {
		marks = append(marks, c.Theme.Warn.Draw("stopping"))
	}
	if r.Denied > 0 {
		marks = append(marks, c.Theme.Warn.Draw(draw.Sprintf("%d denied", r.Denied)))
	}
	if !run.OverdueAt.IsZero() && live && !r.Patient {
		marks = append(marks, c.Theme.Warn.Draw("overdue"))
	}
	if live && warnedOfBudget(run) {
		marks = append(marks, c.Theme.Warn.Draw("budget"))
	}
	if live && warnedOfOverlap(run) {
		marks = append(marks, c.Theme.Warn.Draw("write overlap"))
	}
	if r.toLand() {
		marks = append(marks, c.Theme.Accent.Draw("changes to land"))
	}
	return marks
}

// unread says that the user or the parent's model has not read of the end.
func (r Card) unread(c draw.Canvas) []draw.Styled {
	run := r.Run
	var marks []draw.Styled
	var waits draw.Styled
	switch {
	case r.Held:
		waits = c.Theme.Dim.Draw("held back until you write")
	case run.Notification.Pending():
		waits = c.Theme.Dim.Draw("not delivered")
	}
	if r.Held && run.OfPerson() { // nothing else shows that the parent does not know of it
		marks, waits = append(marks, waits), ""
	}
	if r.Unread && (run.Background || run.Shell()) { // the call's answer shows the others
		marks = append(marks, unopened(c))
	}
	if waits != "" {
		marks = append(marks, waits)
	}
	return marks
}

func unopened(c draw.Canvas) draw.Styled { return c.Theme.Dim.Draw("not opened") }

func warnedOfBudget(run lifecycle.Run) bool {
	return slices.ContainsFunc(run.Warnings, func(w lifecycle.Warned) bool { return w.Kind == lifecycle.WarnBudget })
}

// Overdue reports whether the run waits for its user's choice, because the call that waits for
// it has lasted too long.
func (r Card) Overdue() bool {
	return !r.Run.OverdueAt.IsZero() && !r.Run.State.Terminal() && !r.Patient && !r.Run.Background && !r.Over
}

// Choices draws what the keys do on an overdue card, in as many words as fit. It shows them even
// without the focus: that is how they are learned.
func (r Card) Choices(c draw.Canvas) draw.Styled {
	for _, words := range []sanitize.Text{
		"↓ then w go on waiting · b to the background · m message · x x stop",
		"↓ then w wait · b background · m message · x x stop",
		"w wait · b background · m message · x x stop",
	} {
		if draw.Cells(words)+4 <= c.Width {
			return "    " + c.Theme.Warn.Draw(words)
		}
	}
	return "    " + c.Theme.Warn.Draw(c.Cut("w wait · b away · m write · x x stop", c.Width-4))
}

// branch draws the branch of a run's worktree; empty if it has none.
func (r Card) branch(c draw.Canvas) draw.Styled {
	if r.Run.Branch == "" {
		return ""
	}
	return c.Theme.Dim.Draw(draw.Sprintf("on %s", sanitize.Line(r.Run.Branch)))
}

// worktree draws what an ended run has left in its worktree.
func (r Card) worktree(c draw.Canvas) []draw.Styled {
	if c.Shut || r.Run.Worktree == nil {
		return nil
	}
	return c.Paragraph(c.Theme.Dim, sanitize.Line("worktree: "+r.Run.Worktree.Summary()))
}

func warnedOfOverlap(run lifecycle.Run) bool {
	return slices.ContainsFunc(run.Warnings, func(w lifecycle.Warned) bool { return w.Kind == lifecycle.WarnWriteOverlap })
}
