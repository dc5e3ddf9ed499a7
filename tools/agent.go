package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"pawl/agent"
	"pawl/lifecycle"
)

type agentInput struct {
	Description string              `json:"description"`
	Prompt      string              `json:"prompt"`
	Type        string              `json:"subagent_type"`
	Background  bool                `json:"run_in_background"`
	Model       string              `json:"model"`
	Effort      string              `json:"effort"`
	Resume      lifecycle.SessionID `json:"resume"`
	Isolation   lifecycle.Isolation `json:"isolation"`
}

// Agent starts a subagent, and waits for it unless it runs in the background.
// types are the subagent types of this folder, places where they can work.
func Agent(types []agent.Type, places Places) agent.Tool {
	in := newInput[agentInput]("agent", agentSchema(types, true)) // remote is understood everywhere: its refusal says what is missing
	spec := in.spec()
	if places.Remote != nil {
		spec.Description += remoteText
	} else {
		spec.Schema = json.RawMessage(agentSchema(types, false))
	}
	spec.Description += "\nSubagent types:\n" + roster(types).list()
	return agent.Tool{
		Spec:  spec,
		Label: labelOf("description"),
		Run: in.run(func(ctx context.Context, call agent.Invocation, args agentInput) (agent.Result, error) {
			return startAgent(ctx, call, types, places, args)
		}),
		Lost: lostCall,
	}
}

// agentSchema is the schema of a call, with isolation remote or without.
func agentSchema(types roster, remote bool) string {
	isolations := []lifecycle.Isolation{lifecycle.IsolationNone, lifecycle.IsolationWorktree, lifecycle.IsolationProcess}
	apart := "worktree: in a git worktree of its own, on a new branch from the last commit, so that its edits do not collide with anyone else's; process: in a process of its own, so that a crash or its use of memory harms no other; "
	if remote {
		isolations = append(isolations, lifecycle.IsolationRemote)
		apart += "remote: on another machine; "
	}
	return `{"type": "object", "additionalProperties": false, "required": ["description", "prompt"], "properties": {
		"description": {"type": "string", "minLength": 1, "description": "3 to 5 words: what it is for"},
		"prompt": {"type": "string", "minLength": 1, "description": "the whole task; the subagent sees nothing else of this conversation"},
		"subagent_type": {"type": "string", "enum": ` + marshal(types.names()) + `, "description": "general unless a narrower type fits"},
		"run_in_background": {"type": "boolean", "description": "true: go on at once and be told when it ends; false, the default: wait for its result"},
		"model": {"type": "string", "description": "PROVIDER/NAME; the default is the model of its type, else yours"},
		"effort": {"type": "string", "enum": ` + marshal(lifecycle.Efforts()) + `, "description": "how much the model thinks, which is most of what it costs; the default is that of its type, else yours"},
		"resume": {"type": "string", "description": "the agent_id of an ended subagent, to go on in its own conversation"},
		"isolation": {"type": "string", "enum": ` + marshal(isolations) + `, "description": "` + apart + `none is the default; resume keeps the isolation it had"}}}`
}

const remoteText = "\n- With isolation remote it works on another machine, in a copy of your checkout with what is not committed; what it changes comes back on a new branch, as with worktree. Take it for many subagents at once, or for work that this machine cannot do. It may have to wait until a machine is free."

func startAgent(ctx context.Context, call agent.Invocation, types roster, places Places, in agentInput) (agent.Result, error) {
	spec := lifecycle.Spec{
		Call: call.Call, Type: cmp.Or(in.Type, agent.TypeGeneral), Description: in.Description, Model: in.Model, Effort: in.Effort,
		Prompt: in.Prompt, Background: in.Background, Isolation: in.Isolation,
	}
	var err error
	if in.Resume == "" {
		spec, err = places.place(ctx, types.chosen(spec))
	} else { // it keeps what it was started with
		err = sameType(call.Scope, in)
	}
	if err != nil {
		return agent.Result{}, refusal(err)
	}
	r, run, err := start(ctx, call, spec, in.Resume)
	if err != nil {
		return agent.Result{}, err
	}
	if in.Resume == "" && in.Isolation != "" && in.Isolation != spec.Isolation {
		r.Message += fmt.Sprintf(" It works with isolation %s, as its type says, not %s.", spec.Isolation, in.Isolation)
	}
	return told(r, run, lifecycle.ByToolResult), nil
}

// sameType refuses to resume a subagent as one of another type: what that may do would not hold.
func sameType(scope *lifecycle.Scope, in agentInput) error {
	before, err := scope.Latest(in.Resume)
	if err != nil || in.Type == "" || before.Type == in.Type { // the start says what else is wrong
		return nil
	}
	return fmt.Errorf("agent %s is of type %s, which it keeps: leave subagent_type out, or start a new one without resume", in.Resume, before.Type)
}

// start starts a run and, unless it is one of the background, waits for it. It
// gives the reply about it; the error is of a launch that did not happen.
func start(ctx context.Context, call agent.Invocation, spec lifecycle.Spec, resume lifecycle.SessionID) (reply, lifecycle.Run, error) {
	if strings.TrimSpace(spec.Prompt) == "" {
		return reply{}, lifecycle.Run{}, refusal(errors.New("its prompt is blank: say what it is to do"))
	}
	run, err := call.Scope.StartInTurn(spec, resume, call.Started)
	if err != nil {
		return reply{}, run, refusal(err)
	}
	if spec.Background {
		return report(call.Scope, run), run, nil
	}
	call.Report("waiting for it") // or its long silence would look like a fault
	run, err = call.Scope.Wait(ctx, run.ID)
	if err != nil {
		return reply{}, run, err
	}
	r := report(call.Scope, run)
	switch {
	case run.State.Terminal() || run.Cause != "": // it has ended, or was asked to: the message says that
	case !run.OverdueAt.IsZero():
		r.Warning = "foreground_timeout"
		r.Message = "It is taking long, so this call no longer waits; " + stillGoing(run) + " and nothing is wrong with it. You will be told when it ends. " +
			"Meanwhile do something else, read it with agent_output, send it a message with agent_send, or stop it with agent_stop."
	case !run.DetachedAt.IsZero():
		r.Message = "The user sent it to the background; " + stillGoing(run) + ". " + r.Message
	}
	return r, run, nil
}

func stillGoing(run lifecycle.Run) string {
	if run.State == lifecycle.StateQueued {
		return "it waits for its turn"
	}
	return "it keeps running"
}

// refusal words a launch that did not happen.
func refusal(err error) error {
	if errors.Is(err, lifecycle.ErrNoSlot) {
		return err
	}
	return faultf("No subagent was started: %v", err)
}
