package transcript

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// bar notes a run to which something was denied, or that was told of a grant. The runs
// of a session come one after another, so they stand in that order.
func (r *Runs) bar(run lifecycle.Run) {
	if known := r.barred[run.Session]; len(run.Denials)+len(run.Lifted) > 0 && !slices.Contains(known, run.ID) {
		r.barred[run.Session] = append(known, run.ID)
	}
}

// Refusals are what is denied to a session, over all its runs, and was not granted.
func (r *Runs) Refusals(session lifecycle.SessionID) []lifecycle.Refusal {
	var runs []lifecycle.Run
	for _, id := range r.barred[session] {
		runs = append(runs, r.Run(id))
	}
	return lifecycle.Refusals(runs...)
}

// DeniedTo is how many calls that were.
func (r *Runs) DeniedTo(session lifecycle.SessionID) int {
	return lifecycle.Denied(r.Refusals(session))
}

// DeniedIn is how many of them one run made.
func (r *Runs) DeniedIn(run lifecycle.Run) int { return lifecycle.Denied(r.left(run)) }

// left is what was denied to a run and neither it nor a later one was told is granted.
func (r *Runs) left(run lifecycle.Run) []lifecycle.Refusal {
	if len(run.Denials) == 0 {
		return nil
	}
	runs := []lifecycle.Run{run}
	for _, id := range slices.Backward(r.barred[run.Session]) {
		if id == run.ID {
			break
		}
		later := r.Run(id)
		later.Denials = nil
		runs = append(runs, later)
	}
	return lifecycle.Refusals(runs...)
}

// Refused reports whether something is denied to the run that no person was asked
// about: a key shows it, and may grant it.
func (r *Runs) Refused(run lifecycle.Run) bool {
	return slices.ContainsFunc(r.left(run), func(d lifecycle.Refusal) bool { return d.By != "person" })
}

// DeniedWords say behind a state how many calls are denied; nothing where none is.
func (r *Runs) DeniedWords(session lifecycle.SessionID) sanitize.Text {
	n := r.DeniedTo(session)
	if n == 0 {
		return ""
	}
	return draw.Sprintf(" %s %d denied", draw.Dot, n)
}
