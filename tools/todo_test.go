package tools

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func planned(t *testing.T, list *TodoList, input string) agent.Result {
	t.Helper()
	return Todo(list).Run(t.Context(), agent.Invocation{Input: []byte(input)})
}

func TestThePlanIsReplacedAndKept(t *testing.T) {
	var kept [][]agent.TodoItem
	list := NewTodoList([]agent.TodoItem{{Text: "old", State: "done"}})
	list.Keep = func(_ context.Context, items []agent.TodoItem) error { kept = append(kept, items); return nil }
	require.Equal(t, "- [done] old\n", list.String())
	got := planned(t, list, `{"items": [{"text": "read\nit", "state": "done"}, {"text": "write", "state": "active"}, {"text": "test", "state": "pending"}]}`)
	require.Equal(t, "1 of 3 done; active: write.", got.Text)
	want := []agent.TodoItem{{Text: "read it", State: "done"}, {Text: "write", State: "active"}, {Text: "test", State: "pending"}}
	require.Equal(t, agent.TodoView{Items: want}, got.View)
	require.Equal(t, [][]agent.TodoItem{want}, kept)
	require.Equal(t, "- [done] read it\n- [active] write\n- [pending] test\n", list.String())
	require.Equal(t, "The plan is empty.", planned(t, list, `{"items": []}`).Text)
	require.Empty(t, list.String())
}

func TestThePlanSaysWhatPlansForget(t *testing.T) {
	list := NewTodoList(nil)
	require.Contains(t, planned(t, list, `{"items": [{"text": "a", "state": "active"}, {"text": "b", "state": "active"}]}`).Text, "keep one active at a time")
	require.Contains(t, planned(t, list, `{"items": [{"text": "a", "state": "pending"}]}`).Text, "none is active")
	require.Contains(t, planned(t, list, `{"items": [{"text": "a", "state": "doing"}]}`).Text, "state")
}

func TestAPlanThatCouldNotBeKeptIsTheOldOne(t *testing.T) {
	list := NewTodoList([]agent.TodoItem{{Text: "old", State: "active"}})
	list.Keep = func(context.Context, []agent.TodoItem) error { return errors.New("the disk is full") }
	got := planned(t, list, `{"items": []}`)
	require.True(t, got.IsError)
	require.Contains(t, got.Text, "the disk is full")
	require.Equal(t, "- [active] old\n", list.String())
}
