package grants

import (
	"slices"

	"pawl/lifecycle"
)

// Reaches reports whether a standing grant covers a question, that is, what would be asked
// and no more. What a rule, the mode or a hook denies never becomes a question.
func (Policy) Reaches(held []lifecycle.StandingGrant, q lifecycle.Question) bool {
	return slices.ContainsFunc(held, func(g lifecycle.StandingGrant) bool { return reaches(g, q) })
}

// reaches checks one grant. A yes to a whole tool does not cover questions with reasons of
// their own. No grant covers a reason that a hook gives for the first time, because the
// subject of an edit only names the file.
func reaches(g lifecycle.StandingGrant, q lifecycle.Question) bool {
	if g.Tool != q.Tool || g.Run != "" && g.Run != q.Run || q.Why != "" && q.Why != g.Why {
		return false
	}
	return g.All && !q.Each || !g.All && g.Subject == q.Subject
}

// Settle narrows a yes for a whole tool to the one call if the question has a reason of
// its own: the person was thinking of this call only. Where it is about an exact subject, a yes for
// the session is for that. The standing grant is for the tool,
// in the run or the session, or for exactly what was denied before. A yes for always
// creates none; the rules cover it.
func (Policy) Settle(q lifecycle.Question, a lifecycle.Answer) (lifecycle.Answer, []lifecycle.StandingGrant) {
	if q.Exact && !q.Each && a.Scope == lifecycle.GrantSession {
		a.Scope = lifecycle.GrantDenied
	}
	if (q.Each || q.Exact) && (a.Scope == lifecycle.GrantRun || a.Scope == lifecycle.GrantSession) {
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
	default: // once, or for always
		return a, nil
	}
	return a, []lifecycle.StandingGrant{stands}
}
