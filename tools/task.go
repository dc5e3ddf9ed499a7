package tools

import (
	"cmp"
	"context"
	"fmt"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

type taskInput struct {
	Prompt     string `json:"prompt"`
	Background bool   `json:"background"`
	Type       string `json:"subagent_type"`
}

// taskReply is the reply of the task tool: that of agent under the name that a
// task goes by.
type taskReply struct {
	Task lifecycle.SessionID `json:"task_id"`
	reply
	Agent *struct{} `json:"agent_id,omitempty"` // is the task_id: said once
}

func taskOf(r reply) taskReply { return taskReply{Task: r.Agent, reply: r} }

// Task is agent with isolation process in its short form.
func Task(types []agent.Type, places Places) agent.Tool {
	in := newInput[taskInput]("task", `{"type": "object", "additionalProperties": false, "required": ["prompt"], "properties": {
		"prompt": {"type": "string", "minLength": 1, "description": "the whole task; it sees nothing else of this conversation"},
		"background": {"type": "boolean", "description": "true: go on at once and be told when it ends; false, the default: wait for its result"},
		"subagent_type": {"type": "string", "enum": `+marshal(roster(types).names())+`, "description": "general unless a narrower type fits"}}}`)
	return agent.Tool{
		Spec:  in.spec(),
		Label: labelOf("prompt"),
		Run: in.run(func(ctx context.Context, call agent.Invocation, args taskInput) (agent.Result, error) {
			return startTask(ctx, call, types, places, args)
		}),
		Lost: lostTask,
	}
}

func startTask(ctx context.Context, call agent.Invocation, types roster, places Places, in taskInput) (agent.Result, error) {
	spec := types.chosen(lifecycle.Spec{
		Call: call.Call, Type: cmp.Or(in.Type, agent.TypeGeneral), Description: words.CutLine(words.FirstLine(in.Prompt), 40),
		Prompt: in.Prompt, Background: in.Background, Isolation: lifecycle.IsolationProcess,
	})
	if spec.Isolation != lifecycle.IsolationProcess {
		return agent.Result{}, refusal(fmt.Errorf("the type %s works with isolation %s, and a task in a process of its own: take agent, or another type", spec.Type, spec.Isolation))
	}
	spec, err := places.place(ctx, spec)
	if err != nil {
		return agent.Result{}, refusal(err)
	}
	r, run, err := start(ctx, call, spec, "")
	if err != nil {
		return agent.Result{}, err
	}
	return told(taskOf(r), run, lifecycle.ByToolResult), nil
}

// lostTask words the result of a task call that a dead process left.
func lostTask(call agent.Invocation) agent.Result {
	if run, ok := startedBy(call); ok {
		return told(taskOf(report(call.Scope, run)), run, lifecycle.ByToolResult)
	}
	return agent.ErrorResult("This call was cut off when Pawl's process ended, before it started a task. Nothing is running.")
}
