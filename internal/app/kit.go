package app

import (
	"context"

	"pawl/agent"
	"pawl/internal/failpoint"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/folderwatch"
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
		return subagentKit(run, r, h.around(run, r), own, h.Servers.Instructions, h.watches)
	}
	own.Workspace, own.Watch = h.Workspace, r.watchCommands(watch)
	own.Skills.Names = r.Skills.Names
	equipment, err := r.equip(run, own)
	if err != nil {
		return agent.Kit{}, err
	}
	all := append(tools.Working(equipment), tools.Delegation(h.Types.Types, h.Store.Entries, h.places())...)
	around := h.around(run, r)
	around.Servers, around.Skills = h.Servers.Instructions(all), r.Skills.List
	offered, hidden := tools.OnDemand(tools.Instructed(tools.Bounded(all, own.Outputs), own.Workspace, nested(r, around)), r.Room)
	return agent.Kit{
		Prompt: agent.Prompt(nil, around), MaxSteps: r.MaxSteps, Budget: r.Budget, Today: r.today,
		Tools: offered, Hidden: hidden,
		Permit: r.permit, Propose: r.propose, Search: r.search, Standing: standing(own.Todo), Hooks: r.hooks(run),
		Asking: watch.Refresh, Close: equipment.Web.Close,
	}, nil
}

// sharedEquipment is the equipment that a run shares with others of its session.
func (h *Session) sharedEquipment(ctx context.Context, run lifecycle.Run) tools.Equipment {
	return tools.Equipment{Todo: h.todo(ctx, run.Session), Shells: &h.shells, Outputs: h.outputs, Files: h.Files, Skills: h.sessionSkills(), Outside: h.Servers.Tools(ctx)}
}

// subagentKit is what a subagent's run works with, in this process or in one of its own. notes are
// mcp.Servers.Instructions.
func subagentKit(run lifecycle.Run, r rules, around agent.Surroundings, own tools.Equipment, notes func([]agent.Tool) []agent.ServerNote, watches *folderwatch.Set) (agent.Kit, error) {
	w, err := workspace.Open(run.Folder)
	if err != nil {
		return agent.Kit{}, err
	}
	own.Workspace, w.Outputs, w.Files, w.Readable = w, own.Outputs, own.Files, readable(r.Permissions, run.Folder)
	own.Skills.Names, w.Also = r.Skills.Names, func() []string { return r.Skills.Folders }
	watch, unwatch := watches.Use(run.Folder)
	w.Own, w.Changing, own.Watch = ownFolders(), watch.Writing, r.watchCommands(watch)
	equipment, err := r.equip(run, own)
	if err != nil {
		unwatch()
		closeWorkspace(w)
		return agent.Kit{}, err
	}
	all := tools.ForType(r.Type, tools.Working(equipment))
	around.Servers, around.Skills = notes(all), r.Skills.List
	offered, hidden := tools.OnDemand(withFailpoints(tools.Instructed(tools.Bounded(all, own.Outputs), w, nested(r, around))), r.Room)
	return agent.Kit{
		Prompt: agent.Prompt(&r.Type, around), MaxSteps: r.MaxSteps, Budget: r.Budget, Today: r.today,
		Tools: offered, Hidden: hidden,
		Permit: r.permit, Propose: r.propose, Search: r.search, Standing: standing(own.Todo), Hooks: r.hooks(run),
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
