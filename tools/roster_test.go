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
	r := roster{{Name: "a", Model: "p/type", Effort: "low", Isolation: lifecycle.IsolationProcess}, {Name: "b"}}
	require.Equal(t, "high", r.chosen(lifecycle.Spec{Type: "a", Effort: "high"}).Effort)
	require.Equal(t, lifecycle.Spec{Type: "a", Model: "p/call", Effort: "low", Isolation: lifecycle.IsolationProcess},
		r.chosen(lifecycle.Spec{Type: "a", Model: "p/call", Isolation: lifecycle.IsolationNone}))
	require.Equal(t, "p/type", r.chosen(lifecycle.Spec{Type: "a"}).Model)
	require.Equal(t, lifecycle.Spec{Type: "b", Isolation: lifecycle.IsolationProcess}, r.chosen(lifecycle.Spec{Type: "b", Isolation: lifecycle.IsolationProcess}))
	require.Equal(t, lifecycle.Spec{Type: "b", Isolation: lifecycle.IsolationNone}, r.chosen(lifecycle.Spec{Type: "b"}))
}

func TestWhatCannotBeStartedIsSaidAtOnce(t *testing.T) {
	d := newDelegation(t)
	types := []agent.Type{{Name: "general"}, {Name: "apart", Isolation: lifecycle.IsolationWorktree}, {Name: "afar", Isolation: lifecycle.IsolationRemote}}
	refused := func(context.Context, string) (string, string, error) { return "", "", errors.New("no commit yet") }
	for _, tool := range Delegation(types, d.store.Entries, Places{Worktree: refused, Settings: "~/.config/pawl/config.toml"}) {
		d.tools[tool.Spec.Name] = tool
	}
	for want, call := range map[string][2]string{
		"No subagent was started: no commit yet": {"agent", `{"description": "x", "prompt": "finish", "subagent_type": "apart"}`},
		"the type apart works with isolation worktree, and a task in a process of its own: take agent, or another type": {"task", `{"prompt": "finish", "subagent_type": "apart"}`},
		`did you mean "apart"?`: {"agent", `{"description": "x", "prompt": "finish", "subagent_type": "a-part"}`},
		"general, apart, afar":  {"task", `{"prompt": "finish", "subagent_type": "zzz"}`},
		"its prompt is blank":   {"task", `{"prompt": " \n "}`},
	} {
		_, result := d.call(call[0], call[1])
		require.True(t, result.IsError)
		require.Contains(t, result.Text, want)
	}
	runs, err := d.store.Runs(t.Context(), parent, 0, 0)
	require.NoError(t, err)
	require.Len(t, runs, 1, "the parent's own")
}

// A model that is not offered another machine still learns what is missing when it is told to take one.
func TestAnotherMachineIsOfferedOnlyWhereThereIsAServer(t *testing.T) {
	placed := func(context.Context, string) (string, string, error) { return "/tree", "pawl/branch", nil }
	types := []agent.Type{{Name: "general", Labels: []string{"gpu"}, Idempotent: true}}
	call := lifecycle.Spec{Type: "general", Isolation: lifecycle.IsolationRemote}

	none := Places{Worktree: placed, Settings: "~/.config/pawl/config.toml"}
	spec := Agent(types, none).Spec
	require.NotContains(t, string(spec.Schema)+spec.Description, "remote")
	_, err := none.place(t.Context(), call)
	require.EqualError(t, err, "isolation remote needs a server: set nats in [remote] of ~/.config/pawl/config.toml, or PAWL_REMOTE_NATS")
	d := newDelegation(t)
	d.tools["agent"] = Agent(types, none)
	_, result := d.call("agent", `{"description": "x", "prompt": "finish", "isolation": "remote"}`)
	require.Contains(t, result.Text, "isolation remote needs a server")

	there := Places{Remote: placed}
	spec = Agent(types, there).Spec
	require.Contains(t, string(spec.Schema), `["none","worktree","process","remote"]`)
	require.Contains(t, spec.Description, "With isolation remote")
	chosen, err := there.place(t.Context(), roster(types).chosen(call))
	require.NoError(t, err)
	require.Equal(t, lifecycle.Spec{Type: "general", Isolation: lifecycle.IsolationRemote, Labels: []string{"gpu"}, Idempotent: true, Folder: "/tree", Branch: "pawl/branch"}, chosen)
	require.Empty(t, roster(types).chosen(lifecycle.Spec{Type: "general"}).Labels, "they are of workers alone")
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
