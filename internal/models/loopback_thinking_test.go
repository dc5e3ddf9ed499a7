package models

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/internal/modeltest"
)

// Thinking is asked for in the form that each generation takes, goes back with its
// turn, and is not asked for in a turn that another provider's model began.
func TestProviderAsksAnthropicToThinkAsItsRulesWantIt(t *testing.T) {
	t.Parallel()
	for model, bound := range map[string]bool{"claude-opus-4-5": true, "claude-opus-5-5": false} {
		server := modeltest.Listen(t, func(h modeltest.Request) modeltest.Reply {
			if h.Answered("list") {
				return modeltest.Say("Nothing.")
			}
			return modeltest.Do(modeltest.Use("list", modeltest.Object{}))
		})
		provider := asker(t, modeltest.Anthropic(), server, modeltest.Key)
		step := func(history ...agent.Message) (agent.Response, bool) {
			req := question("what is there?", history...)
			req.Model, req.Thinking = model, agent.Able
			answer, err := provider.Stream(t.Context(), req, func(agent.Delta) {})
			require.NoError(t, err)
			parts := answer.Message.Parts
			return answer, parts[0].Thinking != nil && parts[0].Thinking.Text == "Hm."
		}
		first, thought := step()
		require.True(t, thought, model)
		results := agent.Message{Role: agent.RoleTool, Parts: []agent.Part{{Result: &agent.CallResult{Call: first.Message.Calls()[0].ID, Name: "list", Text: "-"}}}}
		_, thought = step(first.Message, results)
		require.True(t, thought, model)

		foreign := first.Message
		foreign.Parts = slices.Clone(foreign.Parts[1:])
		last, thought := step(foreign, results)
		require.Equal(t, !bound, thought, model)
		require.Equal(t, "Nothing.", strings.TrimSpace(last.Message.Text()), model)
	}
}
