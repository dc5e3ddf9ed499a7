package main

import (
	"context"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/lifecycle"
	"pawl/tools"
)

// kit is agent.Loop's: what a run works with.
func (h *house) kit(_ context.Context, run lifecycle.Run) (agent.Kit, error) {
	types := agent.BuiltinTypes()
	launcher := &tools.Launcher{Owner: run.ID, Containment: tools.Containment(h.settings.Tools.Containment)}
	if !run.Subagent() {
		return agent.Kit{
			System: agent.Prompt(nil, h.around),
			Tools:  append(tools.Working(h.workspace, launcher), tools.Delegation(types, h.store.Entries)...),
			Permit: permit(h.mode),
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
		System: agent.Prompt(&kind, h.around), MaxSteps: kind.MaxSteps,
		Tools:  tools.ForType(kind, tools.Working(workspace, launcher)),
		Permit: permit(mode),
		Close:  func() { closeWorkspace(workspace) },
	}, nil
}

func permit(mode permission.Mode) func(agent.Effect) (allow, ask bool, reason string) {
	return func(effect agent.Effect) (allow, ask bool, reason string) {
		decision, reason := permission.Decide(mode, effect)
		return decision == permission.Allow, decision == permission.Ask, reason
	}
}
