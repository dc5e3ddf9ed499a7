package main

import "pawl/tools"

// standing is agent.Kit's: what a session's tools know that a summary of its
// conversation states again.
func standing(todo *tools.TodoList) func() string {
	return func() string {
		plan := todo.String()
		if plan == "" {
			return ""
		}
		return "Your plan, as the todo tool has it:\n\n" + plan
	}
}
