package tools

import (
	"context"

	"pawl/agent"
)

// Home is the process that keeps the session, for a run that works in another: there
// are the authority over what the run has started, and the commands in the background,
// which outlive the death of that process as little as they need its memory.
type Home interface {
	// Perform has a call run there, by the tool of that name among OfSession.
	Perform(ctx context.Context, tool string, call agent.Invocation) agent.Result
	// Lost is that tool's word on a call which a dead process left without a result.
	Lost(tool string, call agent.Invocation) agent.Result
}

// OfSession are the tools that Home runs. What a run may do was decided where it
// works; these do nothing that could be done there.
func OfSession(e Equipment) []agent.Tool {
	shell := Shell(e.Workspace, e.Launcher, nil)
	run := shell.Run
	shell.Run = func(ctx context.Context, call agent.Invocation) agent.Result {
		if !inBackground(call) {
			return agent.ErrorResult("shell: without run_in_background it is run where the run works")
		}
		return run(ctx, call)
	}
	return []agent.Tool{shell, ShellOutput(e.Shells), ShellKill(e.Shells), Todo(e.Todo)}
}

// sentHome has calls that need the session run where it is kept.
func sentHome(home Home, all []agent.Tool) []agent.Tool {
	for i, tool := range all {
		name := tool.Spec.Name
		if name != "shell" && !ofShell(name) {
			continue
		}
		here := tool.Run
		all[i].Run = func(ctx context.Context, call agent.Invocation) agent.Result {
			if name == "shell" && !inBackground(call) {
				return here(ctx, call)
			}
			return home.Perform(ctx, name, call)
		}
		if tool.Lost != nil {
			all[i].Lost = func(call agent.Invocation) agent.Result { return home.Lost(name, call) }
		}
	}
	return all
}
