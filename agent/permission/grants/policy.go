package grants

import (
	"context"
	"errors"
	"slices"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/lifecycle"
)

// Policy implements lifecycle.Permissions with a user's rules and hooks. Its methods are
// safe for concurrent use if its functions are.
type Policy struct {
	// Bounds returns the bounds of a run. On an error nothing is known, so a person has to
	// allow each call.
	Bounds func(lifecycle.Run) (Bounds, error)
	// Add adds rules to the user's own, permanently.
	Add func([]permission.AllowRule) error
}

// Consider checks the user's rules and, if they and the standing grants leave a question
// open, runs the hooks.
func (p Policy) Consider(ctx context.Context, run lifecycle.Run, q lifecycle.Question, held []lifecycle.StandingGrant) lifecycle.Advice {
	bounds, err := p.Bounds(run)
	q.Each = err != nil || bounds.guards(q)
	switch {
	case err == nil && bounds.covers(q):
		return lifecycle.Advice{Answer: lifecycle.Answer{Allow: true, By: lifecycle.DeciderRule}, Settled: true, Each: q.Each}
	case err != nil, p.Reaches(held, q), bounds.Hooks == nil:
		return lifecycle.Advice{Each: q.Each}
	}
	return bounds.advise(ctx, run, q)
}

// Covers checks the user's rules only.
func (p Policy) Covers(run lifecycle.Run, q lifecycle.Question) bool {
	bounds, err := p.Bounds(run)
	return err == nil && bounds.covers(q)
}

// errOtherRules means that the rules offered for "always" are no longer the ones that apply.
var errOtherRules = errors.New("no rule covers exactly this call any more: allow it once, for the run or for the session")

// Keep proposes the rules again from the question, and adds them. The question may come
// from another process, and the run's bounds may have changed since.
func (p Policy) Keep(run lifecycle.Run, q lifecycle.Question) error {
	bounds, err := p.Bounds(run)
	if err != nil {
		return err
	}
	proposed := bounds.Propose(effectOf(q))
	same := slices.EqualFunc(proposed, q.Rules, func(rule permission.AllowRule, text string) bool { return rule.String() == text })
	if len(proposed) == 0 || !same {
		return errOtherRules
	}
	return p.Add(proposed)
}

func effectOf(q lifecycle.Question) agent.Effect {
	return agent.Effect{Kind: agent.EffectKind(q.Effect), Subject: q.Subject, AlwaysAsk: q.AlwaysAsk}
}
