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
	if r.asked != nil {
		return r.asked
	}
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
		if r.hooksIn != "" {
			o.Run.Folder = r.hooksIn
		}
		return asked.Ask(ctx, o)
	}
}

// firstCall returns true to its first caller in this process only.
func (h *Session) firstCall() bool { return h.greeted.CompareAndSwap(false, true) }
