package grants

import (
	"context"
	"errors"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/lifecycle"
)

// Policy is lifecycle.Permissions, over the rules and hooks of a user. Its methods may be
// called from any goroutine, as far as its functions may.
type Policy struct {
	// Bounds are what binds a run. The error says that nobody can tell: nothing is allowed
	// then but by a person, each time.
	Bounds func(lifecycle.Run) (Bounds, error)
	// Add makes further rules the user's own, for good.
	Add func([]permission.AllowRule) error
}

// Consider asks the user's rules and, where these and what stands leave a question open,
// their hooks.
func (p Policy) Consider(ctx context.Context, run lifecycle.Run, q lifecycle.Question, held []lifecycle.StandingGrant) lifecycle.Advice {
	bounds, err := p.Bounds(run)
	q.Each = err != nil || bounds.guards(q)
	switch {
	case err == nil && bounds.covers(q):
		return lifecycle.Advice{Answer: lifecycle.Answer{Allow: true, By: "rule"}, Settled: true, Each: q.Each}
	case err != nil, p.Reaches(held, q), bounds.Hooks == nil:
		return lifecycle.Advice{Each: q.Each}
	}
	return bounds.advise(ctx, run, q)
}

// Covers asks the user's rules alone.
func (p Policy) Covers(run lifecycle.Run, q lifecycle.Question) bool {
	bounds, err := p.Bounds(run)
	return err == nil && bounds.covers(q)
}

// errOtherRules is the answer to a yes for rules that are not the ones of today.
var errOtherRules = errors.New("no rule covers exactly this call any more: allow it once, for the run or for the session")

// Keep proposes the rules anew from what is asked about, and keeps these: a question may
// have come out of another process, and what binds it may have changed.
func (p Policy) Keep(run lifecycle.Run, q lifecycle.Question) error {
	bounds, err := p.Bounds(run)
	if err != nil {
		return err
	}
	proposed := bounds.Propose(effectOf(q))
	if len(proposed) == 0 || !same(proposed, q.Rules) {
		return errOtherRules
	}
	return p.Add(proposed)
}

// same says whether rules are those with these texts, in this order.
func same(rules []permission.AllowRule, texts []string) bool {
	if len(rules) != len(texts) {
		return false
	}
	for i, rule := range rules {
		if rule.String() != texts[i] {
			return false
		}
	}
	return true
}

func effectOf(q lifecycle.Question) agent.Effect {
	return agent.Effect{Kind: agent.EffectKind(q.Effect), Subject: q.Subject, Delicate: q.Delicate}
}
