package stories

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// What a run costs goes by the user's own prices, in whichever process it works,
// and is the same sum in the answer, on each subagent and in the export.
func TestWhatEachRunCostsAddsUpByTheUsersPrices(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		answer := modeltest.Say("Dug.")
		switch {
		case h.Child("dig"):
		case h.Answered("agent"):
			answer = modeltest.Say("It is dug.")
		default:
			answer = modeltest.Do(modeltest.Isolated("a dig", "dig", false))
		}
		answer.Usage = modeltest.Usage{In: 1_000_000, Cached: 500_000, Written: 200_000, Out: 100_000}
		return answer
	}).Configured(t, `
[models."anthropic/claude-loopback-1"]
input_price = 1
cached_price = 0.1
cache_write_price = 2
output_price = 10
output = 4321
`)
	const each = 0.3 + 0.05 + 0.4 + 1 // fresh, read, written, out
	r, errs, code := s.Prompted(t, "-p", "have it dug")
	require.Zero(t, code, errs)
	require.InDelta(t, 3*each, r.Usage["cost_usd"], 1e-9)
	require.InDelta(t, 600_000, r.Usage["cache_write_tokens"], 0)
	require.Len(t, r.Subagents, 1)
	require.InDelta(t, each, r.Subagents[0].Usage["cost_usd"], 1e-9)

	for _, who := range []func(modeltest.Request) bool{modeltest.FromParent, modeltest.FromChild("dig")} {
		require.Contains(t, string(s.Server.Await(t, who).Raw), `"max_tokens":4321`, "no answer may be longer than the user said")
	}

	type spending struct {
		Cost float64 `json:"cost_usd"`
	}
	var story struct {
		Totals struct{ Parent, Children, All spending }
	}
	require.NoError(t, json.Unmarshal([]byte(exportOf(t, s, r.Session)), &story))
	require.InDelta(t, 2*each, story.Totals.Parent.Cost, 1e-9)
	require.InDelta(t, each, story.Totals.Children.Cost, 1e-9)
	require.InDelta(t, 3*each, story.Totals.All.Cost, 1e-9)
}
