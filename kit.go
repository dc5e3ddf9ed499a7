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
	if !run.Subagent() {
		return agent.Kit{
			System: agent.Prompt(nil, h.around),
			Tools:  append(tools.Working(h.workspace, h.launcher(run)), tools.Delegation(agent.BuiltinTypes(), h.store.Entries)...),
			Permit: permit(h.mode),
		}, nil
	}
	return subagentKit(run, h.launcher(run), typeOf(run), h.mode, h.around)
}

// launcher is what starts the programs of a run.
func (h *house) launcher(run lifecycle.Run) *tools.Launcher {
	return &tools.Launcher{Owner: run.ID, Containment: tools.Containment(h.settings.Tools.Containment)}
}

// typeOf is the type of a subagent's run.
func typeOf(run lifecycle.Run) agent.Type {
	if kind, known := agent.FindType(agent.BuiltinTypes(), run.Type); known {
		return kind
	}
	return agent.Type{Name: run.Type} // an older session's: it gets what general gets
}

// subagentKit is what a subagent's run works with, in this process or in one of
// its own.
func subagentKit(run lifecycle.Run, launcher *tools.Launcher, kind agent.Type, mode permission.Mode, around agent.Surroundings) (agent.Kit, error) {
	if kind.ReadOnly {
		mode = permission.Plan
	}
	workspace, err := tools.NewWorkspace(run.Folder)
	if err != nil {
		return agent.Kit{}, err
	}
	return agent.Kit{
		System: agent.Prompt(&kind, around), MaxSteps: kind.MaxSteps,
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
