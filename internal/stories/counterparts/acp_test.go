//go:build unix

package counterparts

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
	"pawl/internal/soaktest"
)

// TestTheEditorsLibraryOfACPFindsNoFault: a client of the protocol's own library plays an editor, and
// holds each message of Pawl's against that library's schemas.
func TestTheEditorsLibraryOfACPFindsNoFault(t *testing.T) {
	folder := node(t)
	never := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply { return asAnEditorAsks(h, never) })
	path, err := harness.Binary()
	require.NoError(t, err)
	args := append([]string{"-i"}, s.Env...)
	args = append(args, "node", filepath.Join(folder, "acp.mjs"), s.Dir, path, "acp")
	var saw struct {
		Messages, Asked, Replayed, Code int
		Faults, Kinds, Statuses, Stops  []string
		Updates                         map[string]int
		Errors                          []int
		Text                            string
		Listed                          bool
	}
	out := run(t, s.Dir, "", "env", append(args, s.Flags()...)...)
	require.NoError(t, json.Unmarshal(out, &saw), string(out))
	require.Empty(t, saw.Faults)
	require.Equal(t, []string{"end_turn", "end_turn", "end_turn", "cancelled"}, saw.Stops)
	require.Equal(t, 2, saw.Asked)
	require.Equal(t, []int{-32601, -32602}, saw.Errors)
	require.Subset(t, saw.Kinds, []string{"execute", "edit", "read"})
	require.Subset(t, saw.Statuses, []string{"pending", "in_progress", "completed", "failed"})
	require.Contains(t, saw.Text, "All is done.")
	require.True(t, saw.Listed)
	require.Greater(t, saw.Replayed, 10)
	require.Zero(t, saw.Code)
	for _, kind := range []string{"agent_message_chunk", "user_message_chunk", "tool_call", "tool_call_update", "plan", "available_commands_update", "current_mode_update"} {
		require.Positive(t, saw.Updates[kind], kind)
	}
	soaktest.Counterpart(t, "@agentclientprotocol/sdk", versionOf(t, "@agentclientprotocol/sdk"), saw.Messages)
}

func asAnEditorAsks(h modeltest.Request, never <-chan struct{}) modeltest.Reply {
	switch {
	case h.Child("run it") && h.Answered("shell"):
		return modeltest.Say("It ran.")
	case h.Child("run it"):
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
	case h.Asked("talk without end"):
		return modeltest.Say("It ").Until(never)
	case h.Asked("edit it") && !h.Answered("edit"):
		return modeltest.Do(modeltest.Use("todo", modeltest.Object{"items": []modeltest.Object{{"text": "edit it", "state": "active"}}}),
			modeltest.Use("read", modeltest.Object{"path": "calc.go"}),
			modeltest.Use("edit", modeltest.Object{"path": "calc.go", "edits": []modeltest.Object{{"old": "a + b", "new": "b + a"}}}))
	case h.Asked("remove it") && !h.Asked("edit it") && !h.Answered("shell"):
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "rm calc.go"}))
	case h.Asked("delegate it") && !h.Answered("agent"):
		return modeltest.Do(modeltest.Delegate("run it", "run it"))
	}
	return modeltest.Say("All is done.")
}
