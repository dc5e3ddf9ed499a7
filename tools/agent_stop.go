package tools

import (
	"context"
	_ "embed"

	"pawl/agent"
	"pawl/lifecycle"
)

//go:embed agent_stop.md
var agentStopText string

type agentStopInput struct {
	Agent  lifecycle.SessionID `json:"agent_id"`
	Reason string              `json:"reason"`
}

// AgentStop ends a subagent's latest run and gives what there is of its result.
func AgentStop() agent.Tool {
	in := newInput[agentStopInput]("agent_stop", `{"type": "object", "additionalProperties": false, "required": ["agent_id"], "properties": {
		"agent_id": {"type": "string", "minLength": 1},
		"reason": {"type": "string", "description": "why, in a few words; the user sees it"}}}`)
	return agent.Tool{
		Spec:  agent.ToolSpec{Name: "agent_stop", Description: agentStopText, Schema: in.text},
		Label: labelOf("agent_id"),
		Run: func(_ context.Context, call agent.Invocation) agent.Result {
			args, err := in.decode(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			if _, fault := agentOf(call.Scope, args.Agent); fault != nil {
				return *fault
			}
			run, err := call.Scope.Stop(args.Agent, args.Reason)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			return report(call.Scope, run).result(run, lifecycle.ByAgentStop)
		},
		Lost: func(call agent.Invocation) agent.Result {
			args, err := in.decode(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			return lostStop(call.Scope, args.Agent)
		},
	}
}

// lostStop words the result of a stop that a dead process left: how the run stands
// that it was for. Nobody else tells what this call ended.
func lostStop(scope *lifecycle.Scope, id lifecycle.SessionID) agent.Result {
	run, fault := agentOf(scope, id)
	if fault != nil {
		return *fault
	}
	for _, one := range scope.Runs() { // a later run of it may have begun since
		if one.Session == id && one.Cause == lifecycle.CauseAgentStop && one.Consumed == nil {
			run = one
		}
	}
	r := report(scope, run)
	r.Message = "This call was cut off when Pawl's process ended; this is the state of the run now. " + r.Message
	return r.result(run, lifecycle.ByAgentStop)
}
