package tools

import (
	"context"
	_ "embed"
	"time"

	"pawl/agent"
	"pawl/lifecycle"
)

//go:embed shell_output.md
var shellOutputText string

type shellOutputInput struct {
	Shell lifecycle.SessionID `json:"shell_id"`
	Wait  int64               `json:"wait_ms"`
}

// ShellOutput reads a shell in the background: what it has written since the last
// look, and how it ended once it has.
func ShellOutput(shells *Shells) agent.Tool {
	in := newInput[shellOutputInput]("shell_output", `{"type": "object", "additionalProperties": false, "required": ["shell_id"], "properties": {
		"shell_id": {"type": "string", "minLength": 1},
		"wait_ms": {"type": "integer", "minimum": 0, "maximum": 60000, "description": "wait at most this long for its end; 0, the default: do not wait"}}}`)
	return agent.Tool{
		Spec:     agent.ToolSpec{Name: "shell_output", Description: shellOutputText, Schema: in.text},
		ReadOnly: true,
		Label:    labelOf("shell_id"),
		Run: func(ctx context.Context, call agent.Invocation) agent.Result {
			args, err := in.decode(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			return readShell(ctx, shells, call.Scope, args)
		},
	}
}

func readShell(ctx context.Context, shells *Shells, scope *lifecycle.Scope, in shellOutputInput) agent.Result {
	run, fault := shellOf(scope, in.Shell)
	if fault != nil {
		return *fault
	}
	if wait := min(time.Duration(max(in.Wait, 0))*time.Millisecond, maxWait); wait > 0 && !run.State.Terminal() {
		var err error
		if run, err = scope.Await(ctx, run.ID, wait); err != nil {
			return agent.ErrorResult(err.Error())
		}
	}
	return shells.reply(run).result(run, lifecycle.ByShellOutput)
}
