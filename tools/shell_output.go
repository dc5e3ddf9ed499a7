package tools

import (
	"context"

	"pawl/agent"
	"pawl/lifecycle"
)

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
		Spec:     in.spec(),
		ReadOnly: true,
		Label:    labelOf("shell_id"),
		Run: in.run(func(ctx context.Context, call agent.Invocation, args shellOutputInput) (agent.Result, error) {
			run, err := shellOf(call.Scope, args.Shell)
			if err == nil {
				run, err = await(ctx, call.Scope, run, args.Wait)
			}
			if err != nil {
				return agent.Result{}, err
			}
			return told(shells.reply(run), run, lifecycle.ByShellOutput), nil
		}),
	}
}
