package tools

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"pawl/agent"
	"pawl/internal/words"
)

//go:embed todo.md
var todoText string

// TodoList is the plan of one session: what its model last wrote down, and what is
// told it again when its conversation was summed up. Its methods may be called from
// any goroutine.
type TodoList struct {
	// Keep writes the list where it outlives the process; nil is allowed.
	Keep func(context.Context, []agent.TodoItem) error

	mu    sync.Mutex
	items []agent.TodoItem
}

// NewTodoList takes up a plan as it was kept.
func NewTodoList(items []agent.TodoItem) *TodoList { return &TodoList{items: items} }

// Items are the lines of the plan as it stands.
func (l *TodoList) Items() []agent.TodoItem {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.items)
}

// String is the plan in lines, empty where there is none.
func (l *TodoList) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	for _, item := range l.items {
		fmt.Fprintf(&b, "- [%s] %s\n", item.State, item.Text)
	}
	return b.String()
}

type todoInput struct {
	Items []agent.TodoItem `json:"items"`
}

// Todo writes a session's plan.
func Todo(list *TodoList) agent.Tool {
	in := newInput[todoInput]("todo", `{"type": "object", "additionalProperties": false, "required": ["items"], "properties": {
		"items": {"type": "array", "description": "the whole plan, in order; it takes the place of the last one", "items": {
			"type": "object", "additionalProperties": false, "required": ["text", "state"], "properties": {
				"text": {"type": "string", "minLength": 1, "description": "what there is to do, in one line"},
				"state": {"type": "string", "enum": ["pending", "active", "done"], "description": "active is what you work on now: one at a time"}}}}}}`)
	return agent.Tool{
		Spec:     agent.ToolSpec{Name: "todo", Description: todoText, Schema: in.text},
		ReadOnly: true, // of everything but the plan itself
		Run: func(ctx context.Context, call agent.Invocation) agent.Result {
			args, err := in.decode(call.Input)
			if err != nil {
				return agent.ErrorResult(err.Error())
			}
			for i := range args.Items {
				args.Items[i].Text = words.CutLine(args.Items[i].Text, 500)
			}
			if err := list.set(ctx, args.Items); err != nil {
				return agent.ErrorResult("todo: the plan could not be kept: " + err.Error())
			}
			return agent.Result{Text: progressOf(args.Items), View: agent.TodoView{Items: args.Items}}
		},
	}
}

func (l *TodoList) set(ctx context.Context, items []agent.TodoItem) error {
	l.mu.Lock()
	defer l.mu.Unlock() // over Keep too: the plan that stands is the one written last
	if l.Keep != nil {
		if err := l.Keep(ctx, items); err != nil {
			return err
		}
	}
	l.items = items
	return nil
}

// progressOf says how far a plan is, and reminds of what plans tend to forget.
func progressOf(items []agent.TodoItem) string {
	if len(items) == 0 {
		return "The plan is empty."
	}
	done := 0
	var active []string
	for _, item := range items {
		switch item.State {
		case "done":
			done++
		case "active":
			active = append(active, item.Text)
		}
	}
	text := fmt.Sprintf("%d of %d done", done, len(items))
	switch {
	case len(active) > 1:
		text += fmt.Sprintf("; %d are active: keep one active at a time", len(active))
	case len(active) == 1:
		text += "; active: " + active[0]
	case done < len(items):
		text += "; none is active: mark the one that you work on"
	}
	return text + "."
}
