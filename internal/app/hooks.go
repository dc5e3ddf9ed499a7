package app

import (
	"context"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/tools"
)

// hooks is agent.Kit's; nil where there are none. They are started by a launcher of
// their own: whatever holds a run's commands back does not hold the user's programs.
func (r rules) hooks(run lifecycle.Run) func(context.Context, agent.HookInput) agent.HookResult {
	if len(r.Hooks) == 0 {
		return nil
	}
	asked := tools.Hooks{
		Launcher: r.launcher(run),
		Specs:    r.Hooks,
		Mode:     func() string { return string(r.mode()) },
	}
	return func(ctx context.Context, o agent.HookInput) agent.HookResult {
		if o.Event == agent.HookSessionStart && (r.first == nil || !r.first()) {
			return agent.HookResult{}
		}
		return asked.Ask(ctx, o)
	}
}

// first says once in the life of this process that nobody has asked before.
func (h *Session) first() bool { return h.greeted.CompareAndSwap(false, true) }

// advise is lifecycle.Options': what the hooks say of a question. They see it wherever
// its run works, for all questions come here. What is a person's to allow they cannot.
func (h *Session) advise(ctx context.Context, run lifecycle.Run, q lifecycle.Question) lifecycle.Advice {
	r, err := h.rules(run)
	if err != nil || len(r.Hooks) == 0 {
		return lifecycle.Advice{}
	}
	said := r.hooks(run)(ctx, agent.HookInput{
		Event: agent.HookPermissionRequest, Run: run, Call: agent.Call{ID: q.Call, Name: q.Tool, Input: q.Input},
	})
	advice := lifecycle.Advice{Warnings: said.Warnings}
	switch said.Decision {
	case agent.HookDeny:
		advice.Answer, advice.Settled = lifecycle.Answer{By: "hook", Reason: said.Reason}, true
	case agent.HookAllow:
		if advice.Settled = !r.personal(effectOf(q)); advice.Settled {
			advice.Answer = lifecycle.Answer{Allow: true, Scope: lifecycle.GrantOnce, By: "hook"}
		}
	case agent.HookAsk, agent.HookPass:
	}
	return advice
}
