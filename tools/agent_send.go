package tools

import (
	"context"
	"errors"

	"pawl/agent"
	"pawl/lifecycle"
)

type agentSendInput struct {
	Agent   lifecycle.SessionID `json:"agent_id"`
	Message string              `json:"message"`
}

// AgentSend gives a subagent a message: taken in at its next step, or the start
// of a new background run if it has ended.
func AgentSend() agent.Tool {
	in := newInput[agentSendInput]("agent_send", `{"type": "object", "additionalProperties": false, "required": ["agent_id", "message"], "properties": {
		"agent_id": {"type": "string", "minLength": 1},
		"message": {"type": "string", "minLength": 1}}}`)
	return agent.Tool{
		Spec:  in.spec(),
		Label: labelOf("agent_id", "message"),
		Run:   in.run(sendToAgent),
	}
}

// notSent words a message that did not reach its agent.
func notSent(err error) error {
	if errors.Is(err, lifecycle.ErrNoSlot) {
		return err
	}
	return faultf("The message was not sent: %v", err)
}

func sendToAgent(_ context.Context, call agent.Invocation, args agentSendInput) (agent.Result, error) {
	before, err := agentOf(call.Scope, args.Agent)
	if err != nil {
		return agent.Result{}, err
	}
	run, err := call.Scope.Send(args.Agent, args.Message, call.Call)
	if err != nil {
		return agent.Result{}, notSent(err)
	}
	r := report(call.Scope, run)
	switch {
	case run.ID == before.ID && run.State == lifecycle.StateQueued:
		r.Message = "It has not started yet; the message is added to its prompt. " + r.Message
	case run.ID == before.ID && run.Cause != "":
		r.Message = "It is being stopped, and will hardly read the message: send it again when it has ended. " + r.Message
	case run.ID == before.ID:
		r.Message = "The message is queued and delivered at its next step. " + r.Message
	default:
		r.Message = "It had ended, so the message started a new background run in the same conversation. " + r.Message
	}
	return agent.Result{Text: marshal(r), View: agent.RunView{Session: run.Session, Run: run.ID}}, nil
}
