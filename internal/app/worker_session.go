package app

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"pawl/agent"
	"pawl/agent/remote"
	"pawl/tools"
)

// remoteTodo is the todo list of a worker's session: it is used here and stored by the parent
// process.
func remoteTodo(port *remote.Port, items []agent.TodoItem) *tools.TodoList {
	list := tools.NewTodoList(items)
	list.Keep = func(ctx context.Context, items []agent.TodoItem) error {
		input, err := json.Marshal(map[string]any{"items": items})
		if err != nil {
			return err
		}
		if kept := port.Perform(ctx, "todo", agent.Invocation{Input: input}); kept.IsError {
			return errors.New(kept.Text)
		}
		return nil
	}
	return list
}

// workerOOMScore is what a worker adds to its OOM score. The whole memory counts 1000, so it is
// killed before any process that uses less than half of the memory more than it.
const workerOOMScore = "500"

// raiseOOMScore makes Linux kill this process and what it starts before the Pawl that runs it,
// with all its runs. It has no effect on other systems, or if the file cannot be written.
func raiseOOMScore() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte(workerOOMScore), 0) }
