package ui

import (
	"slices"

	"pawl/lifecycle"
	"pawl/ui/draw"
)

// marks are the words on a card that want to be seen, the weightiest first: what is
// not saved, what was denied, what takes too long, and who has not read of an end,
// its user or the parent's model.
func (r cardRun) marks(c draw.Canvas) []draw.Styled {
	var marks []draw.Styled
	run, live := r.run, !r.run.State.Terminal()
	if r.unsaved {
		marks = append(marks, c.Theme.Bad.Draw("not saved"))
	}
	if !run.StopRequestedAt.IsZero() && live {
		marks = append(marks, c.Theme.Warn.Draw("stopping"))
	}
	if r.denied > 0 {
		marks = append(marks, c.Theme.Warn.Draw(draw.Sprintf("%d denied", r.denied)))
	}
	if !run.OverdueAt.IsZero() && live && !r.patient {
		marks = append(marks, c.Theme.Warn.Draw("overdue"))
	}
	if live && warnedOfBudget(run) {
		marks = append(marks, c.Theme.Warn.Draw("budget"))
	}
	if live && warnedOfOverlap(run) {
		marks = append(marks, c.Theme.Warn.Draw("write overlap"))
	}
	var waits draw.Styled
	switch {
	case r.held:
		waits = c.Theme.Dim.Draw("held back until you write")
	case run.Notification.Pending():
		waits = c.Theme.Dim.Draw("not delivered")
	}
	if r.held && run.OfPerson() { // nothing else says that the parent does not know of it
		marks, waits = append(marks, waits), ""
	}
	if r.unread && (run.Background || run.Shell()) { // what a call waited for stands in its answer
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
