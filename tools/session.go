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
	return []agent.Tool{shell, ShellOutput(e.Shells), ShellKill(e.Shells), Todo(e.Todo), LoadSkill(e.Skills, nil)}
}

// sentHome has calls that need the session run where it is kept. here has the output of commands in
// the background where they work in this process; nil: home has it.
func sentHome(home Home, here *Shells, all []agent.Tool) []agent.Tool {
	for i, tool := range all {
		name := tool.Spec.Name
		if name != "shell" && !ofShell(name) {
			continue
		}
		run, asItIs := tool.Run, here.withOutput
		if name == "shell" {
			asItIs = func(result agent.Result) agent.Result { return result }
		}
		all[i].Run = func(ctx context.Context, call agent.Invocation) agent.Result {
			if name == "shell" && !inBackground(call) {
				return run(ctx, call)
			}
			return asItIs(home.Perform(ctx, name, call))
		}
		if tool.Lost != nil {
			all[i].Lost = func(call agent.Invocation) agent.Result { return asItIs(home.Lost(name, call)) }
		}
	}
	return all
}
