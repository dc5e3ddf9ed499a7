package transcript

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// Marks returns the warnings on a card, most important first, whether its end has been read by
// its user and the parent's model, and how its model works.
func (r Card) Marks(c draw.Canvas) []draw.Styled {
	return append(append(r.warnings(c), r.unread(c)...), r.by(c)...)
}

// by says which model works in place of the run's own, and what effort is asked of it.
func (r Card) by(c draw.Canvas) []draw.Styled {
	var marks []draw.Styled
	if r.Run.Fallback != "" {
		marks = append(marks, c.Theme.Warn.Draw(draw.Sprintf("by %s", sanitize.Line(r.Run.Fallback))))
	}
	if effort := wording.Effort(r.Run); effort != "" {
		marks = append(marks, c.Theme.Dim.Draw(effort))
	}
	return marks
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

// where is, after a run's name, the machine that works at it, if that is another one.
func (r Card) where() sanitize.Text {
	machine := r.Run.Machine()
	if machine == "" {
		return ""
	}
	return draw.Sprintf(" on %s", sanitize.Line(machine))
}

// worktree draws what an ended run has left in its worktree, and what did not come home to it.
func (r Card) worktree(c draw.Canvas) (lines []draw.Styled) {
	if c.Shut {
		return nil
	}
	if r.Run.Worktree != nil {
		lines = c.Paragraph(c.Theme.Dim, sanitize.Line("worktree: "+r.Run.Worktree.Summary()))
	}
	for _, w := range r.Run.Warnings {
		if w.Kind == lifecycle.WarnResult {
			lines = append(lines, c.Paragraph(c.Theme.Warn, sanitize.Line(w.Message))...)
		}
	}
	return lines
}

func warnedOfOverlap(run lifecycle.Run) bool {
	return slices.ContainsFunc(run.Warnings, func(w lifecycle.Warned) bool { return w.Kind == lifecycle.WarnWriteOverlap })
}
