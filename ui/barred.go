package ui

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// bar notes a run to which something was denied, or that was told of a grant. The runs
// of a session come one after another, so they stand in that order.
func (r *roster) bar(run lifecycle.Run) {
	if known := r.barred[run.Session]; len(run.Denials)+len(run.Lifted) > 0 && !slices.Contains(known, run.ID) {
		r.barred[run.Session] = append(known, run.ID)
	}
}

// refusals are what is denied to a session, over all its runs, and was not granted.
func (r *roster) refusals(session lifecycle.SessionID) []lifecycle.Refusal {
	var runs []lifecycle.Run
	for _, id := range r.barred[session] {
		runs = append(runs, r.runs[id])
	}
	return lifecycle.Refusals(runs...)
}

// deniedTo is how many calls that were.
func (r *roster) deniedTo(session lifecycle.SessionID) int {
	return lifecycle.Denied(r.refusals(session))
}

// deniedIn is how many of them one run made.
func (r *roster) deniedIn(run lifecycle.Run) int { return lifecycle.Denied(r.left(run)) }

// left is what was denied to a run and neither it nor a later one was told is granted.
func (r *roster) left(run lifecycle.Run) []lifecycle.Refusal {
	if len(run.Denials) == 0 {
		return nil
	}
	runs := []lifecycle.Run{run}
	for _, id := range slices.Backward(r.barred[run.Session]) {
		if id == run.ID {
			break
		}
		later := r.runs[id]
		later.Denials = nil
		runs = append(runs, later)
	}
	return lifecycle.Refusals(runs...)
}

// refused reports whether something is denied to the run that no person was asked
// about: a key shows it, and may grant it.
func (r *roster) refused(run lifecycle.Run) bool {
	return slices.ContainsFunc(r.left(run), func(d lifecycle.Refusal) bool { return d.By != "person" })
}

// deniedWords say behind a state how many calls are denied; nothing where none is.
func (r *roster) deniedWords(session lifecycle.SessionID) sanitize.Text {
	n := r.deniedTo(session)
	if n == 0 {
		return ""
	}
	return draw.Sprintf(" %s %d denied", draw.Dot, n)
}
