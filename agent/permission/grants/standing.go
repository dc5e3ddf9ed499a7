package grants

import (
	"slices"

	"pawl/lifecycle"
)

// Reaches says whether a grant that stands answers a question too: that is what would be
// asked, and no more. What a rule, the mode or a hook denies never comes to a question.
func (Policy) Reaches(held []lifecycle.StandingGrant, q lifecycle.Question) bool {
	return slices.ContainsFunc(held, func(g lifecycle.StandingGrant) bool { return reaches(g, q) })
}

// reaches says it of one. A yes to a whole tool is none to what is asked about for its own
// sake, and none is one to what a hook says for the first time: of a change to a file the
// subject tells nothing but the file.
func reaches(g lifecycle.StandingGrant, q lifecycle.Question) bool {
	if g.Tool != q.Tool || g.Run != "" && g.Run != q.Run || q.Why != "" && q.Why != g.Why {
		return false
	}
	return g.All && !q.Each || !g.All && g.Subject == q.Subject
}

// Settle narrows a yes for a whole tool to the one call, where that is asked about for its
// own sake: who gives it has not thought of the rest that the tool can do. What stands from
// then on is for the tool, in the run or the session, or for exactly what was denied before.
// A yes for always leaves nothing behind: the rules say it.
func (Policy) Settle(q lifecycle.Question, a lifecycle.Answer) (lifecycle.Answer, []lifecycle.StandingGrant) {
	if q.Each && (a.Scope == lifecycle.GrantRun || a.Scope == lifecycle.GrantSession) {
		a.Scope = lifecycle.GrantOnce
	}
	if !a.Allow {
		return a, nil
	}
	stands := lifecycle.StandingGrant{Session: q.Session, Tool: q.Tool}
	switch a.Scope {
	case lifecycle.GrantRun:
		stands.All, stands.Run = true, q.Run
	case lifecycle.GrantSession:
		stands.All = true
	case lifecycle.GrantDenied:
		stands.Subject, stands.Why = q.Subject, q.Why
	case lifecycle.GrantOnce, lifecycle.GrantAlways, "":
		return a, nil
	default:
		return a, nil
	}
	return a, []lifecycle.StandingGrant{stands}
}
