package stories

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A server that refuses the key is a line among the models of the others, and in doctor.
func TestModelsAreListedForProgramsAndInDoctor(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() }).Configured(t, `
model = "openai/compatible-loopback-1"
[models."openai/compatible*"]
context = 32768
input_price = 0.5
output_price = 2
images = false
`)
	s.With("ANTHROPIC_API_KEY=sk-wrong-0001")
	out, errs, code := harness.Run(t, s.Dir, s.Env, "models", "--json", "LOOPBACK")
	require.Zero(t, code, "the others can be asked")
	require.Empty(t, errs)
	var listed struct {
		Models []struct {
			InUse  bool `json:"in_use"`
			Images *bool
			Prices any
		}
		Failed []struct{ Provider, Do string }
	}
	require.NoError(t, json.Unmarshal([]byte(out), &listed))
	require.Len(t, listed.Models, 2)
	require.False(t, *listed.Models[0].Images)
	require.True(t, listed.Models[0].InUse)
	require.Nil(t, listed.Models[1].Prices, "an unknown price is no zero")
	require.Equal(t, "anthropic", listed.Failed[0].Provider)
	require.Contains(t, listed.Failed[0].Do, "ANTHROPIC_API_KEY")
	require.NotContains(t, out, "sk-wrong-0001")

	_, d := examined(t, s, 0)
	require.Equal(t, "note", d.finding(t, "Models", "anthropic").Level)
	require.Contains(t, d.finding(t, "Models", "openai").Says, "it answers, with 3 models")
	require.Contains(t, d.finding(t, "Models", "known").Says, "context 33k; $0.50 in")
	_, d = examined(t, s.With("OPENAI_API_KEY=sk-wrong-0001"), 1)
	require.Len(t, d.Problems, 1)
	require.Contains(t, d.Problems[0], "set OPENAI_API_KEY")
}
