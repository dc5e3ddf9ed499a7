package app

import (
	"context"
	"encoding/json"
	"log/slog"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/lifecycle/files"
	"pawl/store"
	"pawl/tools"
)

// todo returns the todo list of a session, which is kept in the database.
func (h *Session) todo(ctx context.Context, session lifecycle.SessionID) *tools.TodoList {
	var items []agent.TodoItem
	text, err := h.Store.SessionFact(ctx, session, store.FactTodo)
	if err == nil && text != "" {
		err = json.Unmarshal([]byte(text), &items)
	}
	if err != nil { // the run can work without it, and its transcript has it
		slog.Error("read the todo list", "session", session, "error", err)
	}
	list := tools.NewTodoList(items)
	list.Keep = func(ctx context.Context, items []agent.TodoItem) error {
		text, err := json.Marshal(items)
		if err != nil {
			return err
		}
		return h.Store.SetSessionFact(ctx, session, store.FactTodo, string(text))
	}
	return list
}

// standing implements agent.Kit.Standing: what a session's tools know and a summary of its
// conversation must repeat.
func standing(todo *tools.TodoList) func() string {
	return func() string {
		plan := todo.String()
		if plan == "" {
			return ""
		}
		return "Your plan, as the todo tool has it:\n\n" + plan
	}
}

// restoreTodo makes the root's plan what it was before a point to which its conversation is taken back.
func (h *Session) restoreTodo(ctx context.Context, log *files.Log, to lifecycle.Seq) {
	ctx = context.WithoutCancel(ctx)
	plans, err := plansBefore(ctx, h.Base, h.Root, to, log)
	if err == nil {
		err = h.Store.SetSessionFact(ctx, h.Root, store.FactTodo, plans[h.Root])
	}
	if err != nil { // the transcript says what was planned
		slog.Error("take the todo list back", "session", h.Root, "error", err)
	}
}
