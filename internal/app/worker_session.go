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

// todoOver is the plan of a worker's session: it works with it here, and keeps it in
// the database over there.
func todoOver(port *remote.Port, items []agent.TodoItem) *tools.TodoList {
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

// lastToBeMissed is what a worker adds to its score for being killed where memory runs
// out. All memory weighs 1000: so it goes before whatever takes not half of it more.
const lastToBeMissed = "500"

// raiseOOMScore has Linux take this process, and what it starts, before the Pawl
// that would otherwise go with all its runs. Elsewhere there is no such file; where it
// cannot be written nothing is lost that was there.
func raiseOOMScore() { _ = os.WriteFile("/proc/self/oom_score_adj", []byte(lastToBeMissed), 0) }
