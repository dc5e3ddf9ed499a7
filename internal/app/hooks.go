package app

import (
	"context"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/tools"
)

// hooks implements agent.Kit.Hooks; nil if there are none. They have a launcher of their own:
// what confines a run's commands does not confine the user's programs.
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
		if o.Event == agent.HookSessionStart && (r.firstCall == nil || !r.firstCall()) {
			return agent.HookResult{}
		}
		return asked.Ask(ctx, o)
	}
}

// firstCall returns true to its first caller in this process only.
func (h *Session) firstCall() bool { return h.greeted.CompareAndSwap(false, true) }

// advise implements lifecycle.Options.Advise: what the hooks answer to a question, wherever its
// run works. They cannot allow what only a person may.
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
