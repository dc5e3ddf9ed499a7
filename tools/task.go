package tools

import (
	"cmp"
	"context"
	_ "embed"

	"pawl/agent"
	"pawl/internal/words"
	"pawl/lifecycle"
)

//go:embed task.md
var taskText string

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

// Task is agent with isolation process in its short form.
func Task(types []agent.Type, plan PlanWorktree) agent.Tool {
	in := newInput[taskInput]("task", `{"type": "object", "additionalProperties": false, "required": ["prompt"], "properties": {
		"prompt": {"type": "string", "minLength": 1, "description": "the whole task; it sees nothing else of this conversation"},
		"background": {"type": "boolean", "description": "true: go on at once and be told when it ends; false, the default: wait for its result"},
		"subagent_type": {"type": "string", "enum": `+marshal(roster(types).names())+`, "description": "general unless a narrower type fits"}}}`)
	return agent.Tool{
		Spec:  agent.ToolSpec{Name: "task", Description: taskText, Schema: in.text},
		Label: labelOf("prompt"),
		Run: func(ctx context.Context, call agent.Invocation) agent.Result {
			args, err := in.decode(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			return startTask(ctx, call, types, plan, args)
		},
		Lost: lostTask,
	}
}

func startTask(ctx context.Context, call agent.Invocation, types roster, plan PlanWorktree, in taskInput) agent.Result {
	spec, err := plan.place(ctx, types.chosen(lifecycle.Spec{
		Call: call.Call, Type: cmp.Or(in.Type, agent.TypeGeneral), Description: taskName(in.Prompt),
		Prompt: in.Prompt, Background: in.Background, Isolation: lifecycle.IsolationProcess,
	}))
	if err != nil {
		return refusal(err)
	}
	r, run, refused := start(ctx, call, spec, "")
	if refused != nil {
		return *refused
	}
	return r.taskResult(run, lifecycle.ByToolResult)
}

// taskName is what a task is called on the screen: how its prompt begins.
func taskName(prompt string) string {
	return words.CutLine(words.FirstLine(prompt), 40)
}

// taskResult gives a reply in the words of a task.
func (r reply) taskResult(run lifecycle.Run, by lifecycle.Consumer) agent.Result {
	result := r.result(run, by)
	result.Text = marshal(taskReply{Task: r.Agent, reply: r})
	return result
}

// lostTask words the result of a task call that a dead process left.
func lostTask(call agent.Invocation) agent.Result {
	if run, ok := startedBy(call); ok {
		return report(call.Scope, run).taskResult(run, lifecycle.ByToolResult)
	}
	return agent.ErrorResult("This call was cut off when Pawl's process ended, before it started a task. Nothing is running.")
}
