package tools

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"

	"pawl/agent"
	"pawl/lifecycle"
)

//go:embed shell_kill.md
var shellKillText string

type shellKillInput struct {
	Shell lifecycle.SessionID `json:"shell_id"`
	Task  lifecycle.SessionID `json:"task_id"`
}

// ShellKill ends a shell in the background, or a task, with all that it started.
func ShellKill(shells *Shells) agent.Tool {
	in := newInput[shellKillInput]("shell_kill", `{"type": "object", "additionalProperties": false, "properties": {
		"shell_id": {"type": "string", "minLength": 1},
		"task_id": {"type": "string", "minLength": 1, "description": "of a task, instead of a shell_id"}}}`)
	return agent.Tool{
		Spec: agent.ToolSpec{Name: "shell_kill", Description: shellKillText, Schema: in.text},
		Label: func(raw json.RawMessage) string {
			return cmp.Or(labelOf("shell_id")(raw), labelOf("task_id")(raw))
		},
		Run: func(_ context.Context, call agent.Invocation) agent.Result {
			args, err := in.decode(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			return killShell(shells, call.Scope, args)
		},
		Lost: func(call agent.Invocation) agent.Result {
			args, err := in.decode(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			return lostKill(shells, call.Scope, args)
		},
	}
}

// killed finds what is to be ended.
func (in shellKillInput) killed(scope *lifecycle.Scope) (lifecycle.Run, *agent.Result) {
	switch {
	case (in.Shell == "") == (in.Task == ""):
		fault := agent.ErrorResult("shell_kill: give either a shell_id or a task_id")
		return lifecycle.Run{}, &fault
	case in.Shell != "":
		return shellOf(scope, in.Shell)
	}
	run, fault := agentOf(scope, in.Task)
	if fault == nil && run.Isolation != lifecycle.IsolationProcess {
		not := agent.ErrorResult("Agent " + string(in.Task) + " is not a task: end it with agent_stop.")
		fault = &not
	}
	return run, fault
}

func killShell(shells *Shells, scope *lifecycle.Scope, in shellKillInput) agent.Result {
	run, fault := in.killed(scope)
	if fault != nil {
		return *fault
	}
	run, err := scope.Stop(run.Session, "")
	if err != nil {
		return agent.ErrorResult(err.Error())
	}
	return killedResult(shells, scope, run)
}

// killedResult words how that stands which was to be ended.
func killedResult(shells *Shells, scope *lifecycle.Scope, run lifecycle.Run) agent.Result {
	if run.Shell() {
		return shells.reply(run).result(run, lifecycle.ByShellKill)
	}
	return report(scope, run).taskResult(run, lifecycle.ByShellKill)
}

// lostKill words the result of a call that a dead process left: how that stands
// which it was to end.
func lostKill(shells *Shells, scope *lifecycle.Scope, in shellKillInput) agent.Result {
	run, fault := in.killed(scope)
	if fault != nil {
		return *fault
	}
	result := killedResult(shells, scope, run)
	result.Text = "This call was cut off when Pawl's process ended; this is its state now.\n" + result.Text
	return result
}
