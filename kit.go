package main

import (
	"context"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/failpoint"
	"pawl/lifecycle"
	"pawl/tools"
)

// kit is agent.Loop's: what a run works with.
func (h *house) kit(_ context.Context, run lifecycle.Run) (agent.Kit, error) {
	types, launcher := agent.BuiltinTypes(), &tools.Launcher{Owner: run.ID}
	if !run.Subagent() {
		return agent.Kit{
			System: agent.Prompt(nil, h.around),
			Tools:  append(tools.Working(h.workspace, launcher), tools.Delegation(types, h.store.Entries)...),
			Permit: permit(h.mode), MaxSteps: h.settings.Limits.MaxSteps, Budget: h.budget(),
		}, nil
	}
	kind, known := agent.FindType(types, run.Type)
	if !known {
		kind = agent.Type{Name: run.Type} // an older session's: it gets what general gets
	}
	mode := h.mode
	if kind.ReadOnly {
		mode = permission.Plan
	}
	workspace, err := tools.NewWorkspace(run.Folder)
	if err != nil {
		return agent.Kit{}, err
	}
	return agent.Kit{
		System: agent.Prompt(&kind, h.around), MaxSteps: fewest(kind.MaxSteps, h.settings.Limits.MaxSteps), Budget: h.budget(),
		Tools:  breakable(tools.ForType(kind, tools.Working(workspace, launcher))),
		Permit: permit(mode),
		Close:  func() { closeWorkspace(workspace) },
	}, nil
}

// breakable puts the point before each tool at which a test makes it break.
func breakable(all []agent.Tool) []agent.Tool {
	for i := range all {
		name, run := all[i].Spec.Name, all[i].Run
		if failpoint.On {
			all[i].Run = func(ctx context.Context, call agent.Invocation) agent.Result {
				failpoint.Reach("tool." + name)
				return run(ctx, call)
			}
		}
	}
	return all
}

// budget is the user's limits as the loop counts them.
func (h *house) budget() agent.Budget {
	limits := h.settings.Limits
	return agent.Budget{
		Run:     agent.Allowance{Cost: limits.RunMaxCost, Tokens: int64(limits.RunMaxTokens)},
		Session: agent.Allowance{Cost: limits.MaxCost, Tokens: int64(limits.MaxTokens)},
	}
}

// fewest is the narrower of two limits, of which 0 is none.
func fewest(a, b int) int {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

func permit(mode permission.Mode) func(agent.Effect) (allow, ask bool, reason string) {
	return func(effect agent.Effect) (allow, ask bool, reason string) {
		decision, reason := permission.Decide(mode, effect)
		return decision == permission.Allow, decision == permission.Ask, reason
	}
}
