package tools

import (
	"context"

	"pawl/agent"
	"pawl/lifecycle"
)

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
		Spec:  in.spec(),
		Label: labelOf("agent_id"),
		Run:   in.run(stopAgent),
		Lost:  in.lost(lostStop),
	}
}

func stopAgent(_ context.Context, call agent.Invocation, args agentStopInput) (agent.Result, error) {
	if _, err := agentOf(call.Scope, args.Agent); err != nil {
		return agent.Result{}, err
	}
	run, err := call.Scope.Stop(args.Agent, args.Reason)
	if err != nil {
		return agent.Result{}, err
	}
	return told(report(call.Scope, run), run, lifecycle.ByAgentStop), nil
}

// lostStop words the result of a stop that a dead process left: how the run stands
// that it was for. Nobody else tells what this call ended.
func lostStop(_ context.Context, call agent.Invocation, args agentStopInput) (agent.Result, error) {
	run, err := agentOf(call.Scope, args.Agent)
	if err != nil {
		return agent.Result{}, err
	}
	for _, one := range call.Scope.Runs() { // a later run of it may have begun since
		if one.Session == args.Agent && one.Cause == lifecycle.CauseAgentStop && one.Consumed == nil {
			run = one
		}
	}
	r := report(call.Scope, run)
	r.Message = "This call was cut off when Pawl's process ended; this is the state of the run now. " + r.Message
	return told(r, run, lifecycle.ByAgentStop), nil
}
