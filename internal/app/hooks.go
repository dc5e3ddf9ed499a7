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
