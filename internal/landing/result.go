package landing

import "pawl/lifecycle"

// Result is what a landing did, or a plan of it.
type Result struct {
	*Plan
	Landed *lifecycle.Landed `json:"landed,omitempty"` // nil: nothing was landed
}

// Clean reports that git could merge all that was asked for.
func (r Result) Clean() bool { return r.Plan != nil && len(r.Of(Conflict)) == 0 }
