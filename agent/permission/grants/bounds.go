package grants

import (
	"context"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/lifecycle"
)

// Bounds are what binds one run. Each function answers as things are when it is called.
type Bounds struct {
	// Today are the user's rules, those among them that answers have added, and the mode.
	Today func() (permission.Rules, permission.Mode)
	// Permit is agent.Kit's, which the run's own loop asks before it asks anybody else.
	Permit func(agent.Effect) agent.Decision
	// Propose gives rules that would allow an effect from then on; none, where none is safe
	// or would hold.
	Propose func(agent.Effect) []permission.AllowRule
	// Exposed says that an effect may do more than its subject tells, for others have had a
	// hand in what it runs, or nothing confines it: no program may allow it.
	Exposed func(agent.Effect) bool
	// Hooks asks the user's programs, and returns promptly when ctx ends. Nil: there are none.
	Hooks func(ctx context.Context, in agent.HookInput) agent.HookResult
}

// covers says whether today's rules allow what is asked about. A hook's question they do
// not answer: it asked in spite of them.
func (b Bounds) covers(q lifecycle.Question) bool {
	if q.Why != "" || q.Effect == "" { // of nothing that rules know, a mode would allow all
		return false
	}
	left := b.Permit(effectOf(q))
	return left.Allow && left.Environ == nil // a condition cannot be put on what was asked about
}

// guards says whether something is asked about for its own sake, and not because nothing
// allows it: a hook wants it, what it is about is delicate, or the rules say so.
func (b Bounds) guards(q lifecycle.Question) bool {
	if q.Why != "" || q.Delicate != "" {
		return true
	}
	rules, _ := b.Today()
	return rules.Guarded(effectOf(q))
}

// advise is what the hooks say. They see a question wherever its run works, for all come
// here. What is a person's to allow they cannot.
func (b Bounds) advise(ctx context.Context, run lifecycle.Run, q lifecycle.Question) lifecycle.Advice {
	said := b.Hooks(ctx, agent.HookInput{
		Event: agent.HookPermissionRequest, Run: run, Call: agent.Call{ID: q.Call, Name: q.Tool, Input: q.Input},
	})
	advice := lifecycle.Advice{Each: q.Each, Warnings: said.Warnings}
	switch said.Decision {
	case agent.HookDeny:
		advice.Answer, advice.Settled = lifecycle.Answer{By: "hook", Reason: said.Reason}, true
	case agent.HookAllow:
		if advice.Settled = !b.personal(q); advice.Settled {
			advice.Answer = lifecycle.Answer{Allow: true, Scope: lifecycle.GrantOnce, By: "hook"}
		}
	case agent.HookAsk, agent.HookPass:
	}
	return advice
}

// personal says whether a person alone may allow what is asked about, and no program of
// theirs: another hook wants them asked, the rules of today say so, or it is exposed.
func (b Bounds) personal(q lifecycle.Question) bool {
	rules, mode := b.Today()
	effect := effectOf(q)
	return q.Why != "" || rules.Personal(mode, effect) || b.Exposed(effect)
}
