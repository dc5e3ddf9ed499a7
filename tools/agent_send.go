package tools

import (
	"context"
	_ "embed"

	"pawl/agent"
	"pawl/lifecycle"
)

//go:embed agent_send.md
var agentSendText string

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
		Spec:  agent.ToolSpec{Name: "agent_send", Description: agentSendText, Schema: in.text},
		Label: labelOf("agent_id", "message"),
		Run: func(_ context.Context, call agent.Invocation) agent.Result {
			args, err := in.decode(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			return sendToAgent(call, args)
		},
	}
}

func sendToAgent(call agent.Invocation, args agentSendInput) agent.Result {
	before, fault := agentOf(call.Scope, args.Agent)
	if fault != nil {
		return *fault
	}
	run, err := call.Scope.Send(args.Agent, args.Message, call.Call)
	if err != nil {
		return refusal(err)
	}
	r := report(call.Scope, run)
	switch {
	case run.ID == before.ID && run.State == lifecycle.StateQueued:
		r.Message = "It has not started yet; the message is added to its prompt. " + r.Message
	case run.ID == before.ID:
		r.Message = "The message is queued and delivered at its next step. " + r.Message
	default:
		r.Message = "It had ended, so the message started a new background run in the same conversation. " + r.Message
	}
	return agent.Result{Text: marshal(r), View: agent.RunView{Session: run.Session, Run: run.ID}}
}
