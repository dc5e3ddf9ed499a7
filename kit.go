package main

import (
	"context"
	"encoding/json"
	"log/slog"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/failpoint"
	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools"
)

// kit is agent.Loop's: what a run works with.
func (h *house) kit(ctx context.Context, run lifecycle.Run) (agent.Kit, error) {
	r, own := h.rules(run), h.belongings(ctx, run)
	if run.Subagent() {
		return subagentKit(run, r, h.around, own)
	}
	own.Workspace = h.workspace
	equipment, err := r.equip(run, own)
	if err != nil {
		return agent.Kit{}, err
	}
	all := append(tools.Working(equipment), tools.Delegation(h.types, h.store.Entries)...)
	return agent.Kit{
		System: agent.Prompt(nil, h.around), MaxSteps: r.MaxSteps, Budget: r.Budget,
		Tools:  tools.Bounded(all, own.Outputs),
		Permit: permit(r.Mode), Standing: standing(own.Todo),
		Close: equipment.Web.Close,
	}, nil
}

// belongings is the equipment that a run shares with others of its session.
func (h *house) belongings(ctx context.Context, run lifecycle.Run) tools.Equipment {
	return tools.Equipment{Todo: h.todo(ctx, run.Session), Shells: &h.shells, Outputs: h.outputs, Outside: h.servers.Tools(ctx)}
}

// equip adds to a run's equipment what is its own alone.
func (r rules) equip(run lifecycle.Run, e tools.Equipment) (tools.Equipment, error) {
	e.Launcher = r.launcher(run)
	var err error
	e.Web, err = newWeb(r.Fetch)
	return e, err
}

// newWeb is the way to the network, and to what of its inside the user allows.
func newWeb(allow []string) (*tools.Web, error) {
	web, err := tools.NewWeb(allow, "Pawl/"+orUnknown(version))
	if err != nil {
		return nil, &usageError{"fetch.allow: " + err.Error()}
	}
	return web, nil
}

// todo is the plan of a session as it stands, kept in the database.
func (h *house) todo(ctx context.Context, session lifecycle.SessionID) *tools.TodoList {
	var items []agent.TodoItem
	text, err := h.store.SessionFact(ctx, session, store.FactTodo)
	if err == nil && text != "" {
		err = json.Unmarshal([]byte(text), &items)
	}
	if err != nil { // the run can do without, and its transcript has it
		slog.Error("read the todo list", "session", session, "error", err)
	}
	list := tools.NewTodoList(items)
	list.Keep = func(ctx context.Context, items []agent.TodoItem) error {
		text, err := json.Marshal(items)
		if err != nil {
			return err
		}
		return h.store.SetSessionFact(ctx, session, store.FactTodo, string(text))
	}
	return list
}

// rules are what binds a run, in whichever process it works.
type rules struct {
	Type        agent.Type        `json:"type"` // of a subagent
	Mode        permission.Mode   `json:"mode"`
	MaxSteps    int               `json:"max_steps"`
	Budget      agent.Budget      `json:"budget"`
	Containment tools.Containment `json:"containment"`
	Fetch       []string          `json:"fetch"` // what fetch may reach beside the open internet
}

// rules are those of today, also for a run of a session that began under others.
func (h *house) rules(run lifecycle.Run) rules {
	r := rules{
		Mode: h.mode, MaxSteps: h.settings.Limits.MaxSteps, Budget: h.budget(),
		Containment: tools.Containment(h.settings.Tools.Containment), Fetch: h.settings.Fetch.Allow,
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

// subagentKit is what a subagent's run works with, in this process or, without
// shells, in one of its own.
func subagentKit(run lifecycle.Run, r rules, around agent.Surroundings, own tools.Equipment) (agent.Kit, error) {
	workspace, err := tools.NewWorkspace(run.Folder)
	if err != nil {
		return agent.Kit{}, err
	}
	own.Workspace, workspace.Outputs = workspace, own.Outputs
	equipment, err := r.equip(run, own)
	if err != nil {
		closeWorkspace(workspace)
		return agent.Kit{}, err
	}
	return agent.Kit{
		System: agent.Prompt(&r.Type, around), MaxSteps: r.MaxSteps, Budget: r.Budget,
		Tools:  breakable(tools.Bounded(tools.ForType(r.Type, tools.Working(equipment)), own.Outputs)),
		Permit: permit(r.Mode), Standing: standing(own.Todo),
		Close: func() {
			closeWorkspace(workspace)
			equipment.Web.Close()
		},
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
