package ui

import (
	"slices"

	"pawl/lifecycle"
)

// marks are the words on a card that want to be seen, the weightiest first: what is
// not saved, what was denied, what takes too long, and who has not read of an end,
// its user or the parent's model.
func (r cardRun) marks(c canvas) []styled {
	var marks []styled
	run, live := r.run, !r.run.State.Terminal()
	if r.unsaved {
		marks = append(marks, c.theme.bad.draw("not saved"))
	}
	if !run.StopRequestedAt.IsZero() && live {
		marks = append(marks, c.theme.warn.draw("stopping"))
	}
	if r.denied > 0 {
		marks = append(marks, c.theme.warn.draw(say("%d denied", r.denied)))
	}
	if !run.OverdueAt.IsZero() && live && !r.patient {
		marks = append(marks, c.theme.warn.draw("overdue"))
	}
	if live && warnedOfBudget(run) {
		marks = append(marks, c.theme.warn.draw("budget"))
	}
	if live && warnedOfOverlap(run) {
		marks = append(marks, c.theme.warn.draw("write overlap"))
	}
	var waits styled
	switch {
	case r.held:
		waits = c.theme.dim.draw("held back until you write")
	case run.Notification.Pending():
		waits = c.theme.dim.draw("not delivered")
	}
	if r.held && run.OfPerson() { // nothing else says that the parent does not know of it
		marks, waits = append(marks, waits), ""
	}
	if r.unread && (run.Background || run.Shell()) { // what a call waited for stands in its answer
		marks = append(marks, c.unopened())
	}
	if waits != "" {
		marks = append(marks, waits)
	}
	return marks
}

func (c canvas) unopened() styled { return c.theme.dim.draw("not opened") }

func warnedOfBudget(run lifecycle.Run) bool {
	return slices.ContainsFunc(run.Warnings, func(w lifecycle.Warned) bool { return w.Kind == lifecycle.WarnBudget })
}
