package grants

import (
	"context"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/lifecycle"
)

// Bounds are the restrictions on one run. Each function answers for the moment of the call.
type Bounds struct {
	// Today returns the user's current rules, those added by answers included, and the mode.
	Today func() (permission.Rules, permission.Mode)
	// Permit is agent.Kit.Permit, which the run's own loop asks first.
	Permit func(agent.Effect) agent.Decision
	// Propose returns rules that would allow an effect from then on; none if none is safe
	// or would work.
	Propose func(agent.Effect) []permission.AllowRule
	// Exposed reports whether an effect may do more than its subject shows, because others
	// could change what it runs, or because nothing confines it. No program may allow it then.
	Exposed func(agent.Effect) bool
	// Hooks runs the user's hooks, and returns promptly when ctx ends. Nil: there are none.
	Hooks func(ctx context.Context, in agent.HookInput) agent.HookResult
}

// covers reports whether today's rules allow what a question is about. They do not answer
// a hook's question, which came up in spite of them.
func (b Bounds) covers(q lifecycle.Question) bool {
	if q.Why != "" || q.Effect == "" { // unknown to the rules: a mode would allow everything
		return false
	}
	decision := b.Permit(effectOf(q))
	return decision.Allow && decision.Environ == nil && !decision.Closed // it is too late to add a condition
}

// guards reports whether a question is asked for a reason of its own, and not just because
// nothing allows the call: a hook wants it, the effect has a reason of its own, or the rules say so.
func (b Bounds) guards(q lifecycle.Question) bool {
	if q.Why != "" || q.AlwaysAsk != "" {
		return true
	}
	rules, _ := b.Today()
	return rules.Guarded(effectOf(q))
}

// advise runs the hooks. Questions of all runs come here, so hooks see each. They cannot
// allow what needs a person.
func (b Bounds) advise(ctx context.Context, run lifecycle.Run, q lifecycle.Question) lifecycle.Advice {
	result := b.Hooks(ctx, agent.HookInput{
		Event: agent.HookPermissionRequest, Run: run, Call: agent.Call{ID: q.Call, Name: q.Tool, Input: q.Input},
	})
	advice := lifecycle.Advice{Each: q.Each, Warnings: result.Warnings}
	switch result.Decision {
	case agent.HookDeny:
		advice.Answer, advice.Settled = lifecycle.Answer{By: lifecycle.DeciderHook, Reason: result.Reason}, true
	case agent.HookAllow:
		if advice.Settled = !b.needsPerson(q); advice.Settled {
			advice.Answer = lifecycle.Answer{Allow: true, Scope: lifecycle.GrantOnce, By: lifecycle.DeciderHook}
		}
	case agent.HookAsk, agent.HookPass:
	}
	return advice
}

// needsPerson reports whether only a person may allow what a question is about, and no program
// for them: another hook wants them asked, today's rules say so, or the effect is exposed.
func (b Bounds) needsPerson(q lifecycle.Question) bool {
	rules, mode := b.Today()
	effect := effectOf(q)
	return q.Why != "" || rules.NeedsPerson(mode, effect) || b.Exposed(effect)
}
