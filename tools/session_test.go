package tools

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/tools/process"
)

// farHome notes what it is asked for.
type farHome []string

func (h *farHome) Perform(_ context.Context, tool string, call agent.Invocation) agent.Result {
	*h = append(*h, tool+" "+string(call.Input))
	return agent.Result{Text: "at home"}
}

func (h *farHome) Lost(tool string, _ agent.Invocation) agent.Result {
	*h = append(*h, tool+" lost")
	return agent.Result{Text: "lost at home"}
}

func TestOnlyWhatNeedsTheSessionIsDoneWhereItIsKept(t *testing.T) {
	var home farHome
	w := plant(t, "-- here --\n")
	all := map[string]agent.Tool{}
	for _, tool := range Working(Equipment{Workspace: w, Launcher: &process.Launcher{}, Shells: new(Shells), Todo: NewTodoList(nil), Home: &home}) {
		all[tool.Spec.Name] = tool
	}
	call := func(tool, input string) string {
		return all[tool].Run(t.Context(), agent.Invocation{Input: json.RawMessage(input)}).Text
	}
	require.Contains(t, call("shell", `{"command":"echo here; exit 0"}`), "here\n[exit code 0]")
	require.Contains(t, call("shell", `{"command":5,"run_in_background":true}`), "at home", "which says what is wrong with it")
	require.Contains(t, call("shell", `{"command":5}`), "command")
	require.Contains(t, call("list", `{}`), "here")
	require.Empty(t, home[1:])
	require.Equal(t, "at home", call("shell", `{"command":"sleep 9","run_in_background":true}`))
	require.Equal(t, "at home", call("shell_output", `{"shell_id":"s"}`))
	require.Equal(t, "at home", call("shell_kill", `{"shell_id":"s"}`))
	require.Equal(t, "lost at home", all["shell"].Lost(agent.Invocation{}).Text)
	require.Equal(t, []string{
		`shell {"command":"sleep 9","run_in_background":true}`, `shell_output {"shell_id":"s"}`, `shell_kill {"shell_id":"s"}`, "shell lost",
	}, []string(home[1:]))
}

func TestWhereTheSessionIsKeptNoOtherCommandRuns(t *testing.T) {
	for _, tool := range OfSession(Equipment{Shells: new(Shells), Todo: NewTodoList(nil)}) {
		if tool.Spec.Name != "shell" {
			continue
		}
		for _, input := range []string{`{"command":"touch made"}`, `{"command":"touch made","run_in_background":false}`, `[]`, ``} {
			got := tool.Run(t.Context(), agent.Invocation{Input: json.RawMessage(input)})
			require.True(t, got.IsError)
			require.Contains(t, got.Text, "run_in_background")
		}
	}
}
