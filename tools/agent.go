package tools

import (
	"cmp"
	"context"
	_ "embed"
	"errors"

	"pawl/agent"
	"pawl/lifecycle"
)

//go:embed agent.md
var agentText string

type agentInput struct {
	Description string              `json:"description"`
	Prompt      string              `json:"prompt"`
	Type        string              `json:"subagent_type"`
	Background  bool                `json:"run_in_background"`
	Model       string              `json:"model"`
	Resume      lifecycle.SessionID `json:"resume"`
	Isolation   lifecycle.Isolation `json:"isolation"`
}

// Agent starts a subagent, and waits for it unless it runs in the background.
// types are the subagent types of this folder, plan finds a place for a worktree.
func Agent(types []agent.Type, plan PlanWorktree) agent.Tool {
	in := newInput[agentInput]("agent", `{"type": "object", "additionalProperties": false, "required": ["description", "prompt"], "properties": {
		"description": {"type": "string", "minLength": 1, "description": "3 to 5 words: what it is for"},
		"prompt": {"type": "string", "minLength": 1, "description": "the whole task; the subagent sees nothing else of this conversation"},
		"subagent_type": {"type": "string", "enum": `+marshal(roster(types).names())+`, "description": "general unless a narrower type fits"},
		"run_in_background": {"type": "boolean", "description": "true: go on at once and be told when it ends; false, the default: wait for its result"},
		"model": {"type": "string", "description": "PROVIDER/NAME; the default is the model of its type, else yours"},
		"resume": {"type": "string", "description": "the agent_id of an ended subagent, to go on in its own conversation"},
		"isolation": {"type": "string", "enum": ["none", "worktree", "process"], "description": "worktree: in a git worktree of its own, on a new branch from the last commit, so that its edits do not collide with anyone else's; process: in a process of its own, so that a crash or its use of memory harms no other; none is the default; resume keeps the isolation it had"}}}`)
	return agent.Tool{
		Spec: agent.ToolSpec{
			Name:        "agent",
			Description: agentText + "\nSubagent types:\n" + roster(types).list(),
			Schema:      in.text,
		},
		Label: labelOf("description"),
		Run: func(ctx context.Context, call agent.Invocation) agent.Result {
			args, err := in.decode(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			return startAgent(ctx, call, types, plan, args)
		},
		Lost: lostCall,
	}
}

func startAgent(ctx context.Context, call agent.Invocation, types roster, plan PlanWorktree, in agentInput) agent.Result {
	spec := lifecycle.Spec{
		Call: call.Call, Type: cmp.Or(in.Type, agent.TypeGeneral), Description: in.Description, Model: in.Model,
		Prompt: in.Prompt, Background: in.Background, Isolation: in.Isolation,
	}
	if in.Resume == "" { // a resumed one keeps what it was started with
		var err error
		if spec, err = plan.place(ctx, types.chosen(spec)); err != nil {
			return refusal(err)
		}
	}
	r, run, refused := start(ctx, call, spec, in.Resume)
	if refused != nil {
		return *refused
	}
	return r.result(run, lifecycle.ByToolResult)
}

// start starts a run and, unless it is one of the background, waits for it. It
// gives the reply about it, or the result of a launch that did not happen.
func start(ctx context.Context, call agent.Invocation, spec lifecycle.Spec, resume lifecycle.SessionID) (reply, lifecycle.Run, *agent.Result) {
	run, err := call.Scope.StartInTurn(spec, resume, call.Started)
	if err != nil {
		refused := refusal(err)
		return reply{}, run, &refused
	}
	if spec.Background {
		return report(call.Scope, run), run, nil
	}
	call.Report("waiting for it") // or its long silence would look like a fault
	run, err = call.Scope.Wait(ctx, run.ID)
	if err != nil {
		fault := agent.ErrorResult(err.Error())
		return reply{}, run, &fault
	}
	r := report(call.Scope, run)
	switch {
	case run.State.Terminal() || run.Cause != "": // it has ended, or was asked to: the message says that
	case !run.OverdueAt.IsZero():
		r.Warning = "foreground_timeout"
		r.Message = "It is taking long, so this call no longer waits; it keeps running and nothing is wrong with it. You will be told when it ends. " +
			"Meanwhile do something else, read it with agent_output, send it a message with agent_send, or stop it with agent_stop."
	case !run.DetachedAt.IsZero():
		r.Message = "The user sent it to the background; it keeps running. " + r.Message
	}
	return r, run, nil
}

// refusal words a launch that did not happen.
func refusal(err error) agent.Result {
	text := err.Error()
	if !errors.Is(err, lifecycle.ErrNoSlot) {
		text = "No subagent was started: " + text
	}
	return agent.ErrorResult(text)
}
