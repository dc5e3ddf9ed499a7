package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"pawl/agent"
	"pawl/lifecycle"
)

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
		Spec: in.spec(),
		Label: func(raw json.RawMessage) string {
			return cmp.Or(labelOf("shell_id")(raw), labelOf("task_id")(raw))
		},
		Run: in.run(func(_ context.Context, call agent.Invocation, args shellKillInput) (agent.Result, error) {
			run, err := args.killed(call.Scope)
			if err == nil {
				run, err = call.Scope.Stop(run.Session, "")
			}
			if err != nil {
				return agent.Result{}, err
			}
			return killedResult(shells, call.Scope, run), nil
		}),
		Lost: in.lost(func(_ context.Context, call agent.Invocation, args shellKillInput) (agent.Result, error) {
			run, err := args.killed(call.Scope)
			if err != nil {
				return agent.Result{}, err
			}
			result := killedResult(shells, call.Scope, run)
			result.Text = "This call was cut off when Pawl's process ended; this is its state now.\n" + result.Text
			return result, nil
		}),
	}
}

func (in shellKillInput) killed(scope *lifecycle.Scope) (lifecycle.Run, error) {
	switch {
	case (in.Shell == "") == (in.Task == ""):
		return lifecycle.Run{}, errors.New("shell_kill: give either a shell_id or a task_id")
	case in.Shell != "":
		return shellOf(scope, in.Shell)
	}
	run, err := agentOf(scope, in.Task)
	if err == nil && run.Isolation != lifecycle.IsolationProcess {
		err = faultf("Agent %s is not a task: end it with agent_stop.", in.Task)
	}
	return run, err
}

// killedResult words the state of what was to be ended.
func killedResult(shells *Shells, scope *lifecycle.Scope, run lifecycle.Run) agent.Result {
	if run.Shell() {
		return told(shells.reply(run), run, lifecycle.ByShellKill)
	}
	return told(taskOf(report(scope, run)), run, lifecycle.ByShellKill)
}
