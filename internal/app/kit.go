package app

import (
	"context"

	"pawl/agent"
	"pawl/internal/failpoint"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/folderwatch"
	"pawl/tools/mcp"
	"pawl/tools/workspace"
)

// kit implements agent.Loop.Kit: what a run works with.
func (h *Session) kit(ctx context.Context, run lifecycle.Run) (agent.Kit, error) {
	r, err := h.rules(run)
	if err != nil {
		return agent.Kit{}, err
	}
	r.Alone = run.Subagent()
	own := h.sharedEquipment(ctx, run)
	watch := h.watched()
	if run.Subagent() {
		return subagentKit(run, r, aroundOf(run, r, h.around), own, h.Servers, h.watches)
	}
	own.Workspace, own.Watch = h.Workspace, r.watchCommands(watch)
	equipment, err := r.equip(run, own)
	if err != nil {
		return agent.Kit{}, err
	}
	all := append(tools.Working(equipment), tools.Delegation(h.Types.Types, h.Store.Entries, h.trees.Plan)...)
	around := h.around
	around.Servers = h.Servers.Instructions(all)
	return agent.Kit{
		System: agent.Prompt(nil, around), MaxSteps: r.MaxSteps, Budget: r.Budget, Today: r.today,
		Tools:  tools.Bounded(all, own.Outputs),
		Permit: r.permit, Propose: r.propose, Standing: standing(own.Todo), Hooks: r.hooks(run),
		Asking: watch.Refresh, Close: equipment.Web.Close,
	}, nil
}

// sharedEquipment is the equipment that a run shares with others of its session.
func (h *Session) sharedEquipment(ctx context.Context, run lifecycle.Run) tools.Equipment {
	return tools.Equipment{Todo: h.todo(ctx, run.Session), Shells: &h.shells, Outputs: h.outputs, Files: h.Files, Outside: h.Servers.Tools(ctx)}
}

// subagentKit is what a subagent's run works with, in this process or in one of its own.
func subagentKit(run lifecycle.Run, r rules, around agent.Surroundings, own tools.Equipment, servers *mcp.Servers, watches *folderwatch.Set) (agent.Kit, error) {
	w, err := workspace.Open(run.Folder)
	if err != nil {
		return agent.Kit{}, err
	}
	own.Workspace, w.Outputs, w.Files, w.Readable = w, own.Outputs, own.Files, r.Permissions.Reading
	watch, unwatch := watches.Use(run.Folder)
	w.Own, w.Changing, own.Watch = ownFolders(), watch.Writing, r.watchCommands(watch)
	equipment, err := r.equip(run, own)
	if err != nil {
		unwatch()
		closeWorkspace(w)
		return agent.Kit{}, err
	}
	all := tools.ForType(r.Type, tools.Working(equipment))
	around.Servers = servers.Instructions(all)
	return agent.Kit{
		System: agent.Prompt(&r.Type, around), MaxSteps: r.MaxSteps, Budget: r.Budget, Today: r.today,
		Tools:  withFailpoints(tools.Bounded(all, own.Outputs)),
		Permit: r.permit, Propose: r.propose, Standing: standing(own.Todo), Hooks: r.hooks(run),
		Asking: watch.Refresh,
		Close: func() {
			unwatch()
			closeWorkspace(w)
			equipment.Web.Close()
		},
	}, nil
}

// withFailpoints puts a failpoint before each tool, at which a test can make it fail.
func withFailpoints(all []agent.Tool) []agent.Tool {
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
