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
	r := h.rules(run)
	if run.Subagent() {
		return subagentKit(run, r, h.around)
	}
	return agent.Kit{
		System: agent.Prompt(nil, h.around), MaxSteps: r.MaxSteps, Budget: r.Budget,
		Tools:  append(tools.Working(h.equipment(run, r)), tools.Delegation(h.types, h.store.Entries)...),
		Permit: permit(r.Mode),
	}, nil
}

// equipment is what the tools of a root's run work with.
func (h *house) equipment(run lifecycle.Run, r rules) tools.Equipment {
	return tools.Equipment{Workspace: h.workspace, Launcher: r.launcher(run)}
}

// rules are what binds a run, in whichever process it works.
type rules struct {
	Type        agent.Type        `json:"type"` // of a subagent
	Mode        permission.Mode   `json:"mode"`
	MaxSteps    int               `json:"max_steps"`
	Budget      agent.Budget      `json:"budget"`
	Containment tools.Containment `json:"containment"`
}

// rules are those of today, also for a run of a session that began under others.
func (h *house) rules(run lifecycle.Run) rules {
	r := rules{
		Mode: h.mode, MaxSteps: h.settings.Limits.MaxSteps, Budget: h.budget(),
		Containment: tools.Containment(h.settings.Tools.Containment),
	}
	if run.Subagent() {
		r.Type = h.typeOf(run)
		r.MaxSteps = fewest(r.Type.MaxSteps, r.MaxSteps)
	}
	if r.Type.ReadOnly {
		r.Mode = permission.Plan
	}
	return r
}

// launcher is what starts the programs of a run.
func (r rules) launcher(run lifecycle.Run) *tools.Launcher {
	return &tools.Launcher{Owner: run.ID, Containment: r.Containment}
}

// typeOf is the type of a subagent's run.
func (h *house) typeOf(run lifecycle.Run) agent.Type {
	if kind, known := agent.FindType(h.types, run.Type); known {
		return kind
	}
	return agent.Type{Name: run.Type} // an older session's: it gets what general gets
}

// subagentKit is what a subagent's run works with, in this process or in one of
// its own.
func subagentKit(run lifecycle.Run, r rules, around agent.Surroundings) (agent.Kit, error) {
	workspace, err := tools.NewWorkspace(run.Folder)
	if err != nil {
		return agent.Kit{}, err
	}
	return agent.Kit{
		System: agent.Prompt(&r.Type, around), MaxSteps: r.MaxSteps, Budget: r.Budget,
		Tools:  breakable(tools.ForType(r.Type, tools.Working(tools.Equipment{Workspace: workspace, Launcher: r.launcher(run)}))),
		Permit: permit(r.Mode),
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
