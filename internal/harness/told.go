//go:build unix

package harness

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// Told is what a tool of delegation tells the parent's model.
type Told struct {
	Agent   string `json:"agent_id"`
	Run     string `json:"run_id"`
	Status  string
	Cause   string
	Output  string
	Partial bool `json:"output_is_partial"`
	Warning string
	Message string
	Error   struct{ Kind, Message string }
	Events  []struct{ Event string }
	Last    int64                         `json:"last_record"`
	Place   int                           `json:"position"`
	Lines   []struct{ Role, Text string } `json:"transcript"`
}

// Tellings reads the results of the agent tool that came with a request.
func Tellings(t *testing.T, h modeltest.Request) []Told {
	t.Helper()
	var list []Told
	for _, text := range h.ResultsOf("agent") {
		var one Told
		require.NoError(t, json.Unmarshal([]byte(text), &one), text)
		require.NotEmpty(t, one.Agent, text)
		require.NotEmpty(t, one.Run, text)
		require.NotEmpty(t, one.Output+one.Message, text)
		list = append(list, one)
	}
	return list
}

// AgentOf is the id of the subagent that a history's only launch started.
func AgentOf(h modeltest.Request) string {
	for _, m := range h.Messages {
		for _, r := range m.Results {
			var one Told
			if json.Unmarshal([]byte(r.Text), &one) == nil && one.Agent != "" {
				return one.Agent
			}
		}
	}
	return ""
}
