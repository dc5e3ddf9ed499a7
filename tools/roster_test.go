package tools

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
)

func TestAModelIsTheCallsElseTheTypesElseTheParents(t *testing.T) {
	r := roster{{Name: "a", Model: "p/type", Isolation: lifecycle.IsolationProcess}, {Name: "b"}}
	require.Equal(t, lifecycle.Spec{Type: "a", Model: "p/call", Isolation: lifecycle.IsolationProcess},
		r.chosen(lifecycle.Spec{Type: "a", Model: "p/call", Isolation: lifecycle.IsolationNone}))
	require.Equal(t, "p/type", r.chosen(lifecycle.Spec{Type: "a"}).Model)
	require.Equal(t, lifecycle.Spec{Type: "b", Isolation: lifecycle.IsolationProcess}, r.chosen(lifecycle.Spec{Type: "b", Isolation: lifecycle.IsolationProcess}))
	require.Equal(t, lifecycle.Spec{Type: "b", Isolation: lifecycle.IsolationNone}, r.chosen(lifecycle.Spec{Type: "b"}))
}

func TestWhatCannotBeStartedIsSaidAtOnce(t *testing.T) {
	d := newDelegation(t)
	types := []agent.Type{{Name: "general"}, {Name: "apart", Isolation: lifecycle.IsolationWorktree}}
	refused := func(context.Context, string) (string, string, error) { return "", "", errors.New("no commit yet") }
	for _, tool := range Delegation(types, d.store.Entries, refused) {
		d.tools[tool.Spec.Name] = tool
	}
	for want, call := range map[string][2]string{
		"No subagent was started: no commit yet": {"agent", `{"description": "x", "prompt": "finish", "subagent_type": "apart"}`},
		"no commit yet":                          {"task", `{"prompt": "finish", "subagent_type": "apart"}`},
		`did you mean "apart"?`:                  {"agent", `{"description": "x", "prompt": "finish", "subagent_type": "a-part"}`},
		"general, apart":                         {"task", `{"prompt": "finish", "subagent_type": "zzz"}`},
	} {
		_, result := d.call(call[0], call[1])
		require.True(t, result.IsError)
		require.Contains(t, result.Text, want)
	}
	runs, err := d.store.Runs(t.Context(), parent, 0, 0)
	require.NoError(t, err)
	require.Len(t, runs, 1, "the parent's own")
}

func TestALongDescriptionIsCutInTheListAndToolsAreNamedWithoutAWorkspace(t *testing.T) {
	r := roster{{Name: "x", Description: strings.Repeat("long ", 1000)}, {Name: "y", Description: "short"}}
	require.Less(t, len(r.list()), 2*longestDescription)
	require.Equal(t, 1, strings.Count(r.list(), "\n"))
	require.Contains(t, WorkingNames(), "shell")
	require.Contains(t, DelegationNames(), "agent")
	for _, name := range WorkingNames() {
		require.NotContains(t, DelegationNames(), name)
	}
}
