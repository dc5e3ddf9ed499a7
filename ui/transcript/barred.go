package transcript

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// bar notes a run with denied calls, or one that was told of a grant. A session's runs come one
// after another, so they are in order.
func (r *Runs) bar(run lifecycle.Run) {
	if known := r.barred[run.Session]; len(run.Denials)+len(run.Lifted) > 0 && !slices.Contains(known, run.ID) {
		r.barred[run.Session] = append(known, run.ID)
	}
}

// Refusals returns the calls of all runs of a session that were denied and not granted since.
func (r *Runs) Refusals(session lifecycle.SessionID) []lifecycle.Refusal {
	var runs []lifecycle.Run
	for _, id := range r.barred[session] {
		runs = append(runs, r.Run(id))
	}
	return lifecycle.Refusals(runs...)
}

// DeniedTo is the number of these calls.
func (r *Runs) DeniedTo(session lifecycle.SessionID) int {
	return lifecycle.Denied(r.Refusals(session))
}

// DeniedIn is the number of those that one run made.
func (r *Runs) DeniedIn(run lifecycle.Run) int { return lifecycle.Denied(r.left(run)) }

// left returns the refusals of a run that neither it nor a later run was told are granted.
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

// Refused reports whether the run was denied something without asking a person: a key shows it,
// and may grant it.
func (r *Runs) Refused(run lifecycle.Run) bool {
	return slices.ContainsFunc(r.left(run), func(d lifecycle.Refusal) bool { return d.By != lifecycle.DeciderPerson })
}

// DeniedWords says how many calls are denied, to follow a state; empty if none are.
func (r *Runs) DeniedWords(session lifecycle.SessionID) sanitize.Text {
	n := r.DeniedTo(session)
	if n == 0 {
		return ""
	}
	return draw.Sprintf(" %s %d denied", draw.Dot, n)
}
