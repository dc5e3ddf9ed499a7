package tools

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/tools/outputs"
)

// telling is a bounded tool that gives this result.
func telling(result agent.Result, outputs *outputs.Store) agent.Tool {
	tool := agent.Tool{Spec: agent.ToolSpec{Name: "teller"}, Run: func(context.Context, agent.Invocation) agent.Result { return result }}
	return Bounded([]agent.Tool{tool}, outputs)[0]
}

func TestNoResultIsLongerThanItsBound(t *testing.T) {
	w, _ := keeping(t, "")
	for name, whole := range map[string]string{
		"lines":           strings.Repeat("a line of text\n", 10_000),
		"many bytes each": strings.Repeat("äöü\n", 20_000),
		"one more":        strings.Repeat("x", resultText+1),
		"no UTF-8":        strings.Repeat("\xff", 50_000),
		"an array":        `["` + strings.Repeat("x", 50_000) + `"]`,
		"a broken object": `{"a":"` + strings.Repeat("x", 50_000),
		"long numbers":    `{"a":` + strings.Repeat("1", 50_000) + `}`,
		"many fields":     `{` + strings.Repeat(`"a":"b",`, 10_000) + `"c":"d"}`,
	} {
		t.Run(name, func(t *testing.T) {
			text := telling(agent.Result{Text: whole, IsError: true}, w.Outputs).Run(t.Context(), agent.Invocation{}).Text
			require.LessOrEqual(t, utf8.RuneCountInString(text), resultText)
			require.Greater(t, utf8.RuneCountInString(text), resultText*9/10)
			require.Equal(t, whole[:1000], text[:1000])
			require.Equal(t, whole[len(whole)-1000:], text[len(text)-1000:])
			kept, err := os.ReadFile(keptPath(t, text))
			require.NoError(t, err)
			require.Equal(t, whole, string(kept))
		})
	}
}

func TestAResultWithinItsBoundIsLeftAlone(t *testing.T) {
	result := agent.Result{Text: strings.Repeat("ä", resultText), View: agent.PlainView{Text: "view"}}
	require.Equal(t, result, telling(result, nil).Run(t.Context(), agent.Invocation{}))
}

func TestALongObjectStaysOneAndItsTextIsKept(t *testing.T) {
	w, _ := keeping(t, "")
	output := strings.Repeat("found \"it\" here\n", 5000)
	whole := marshal(map[string]any{"agent_id": "a", "output": output, "status": "completed"})
	text := telling(agent.Result{Text: whole}, w.Outputs).Run(t.Context(), agent.Invocation{}).Text
	require.LessOrEqual(t, utf8.RuneCountInString(text), resultText)
	require.True(t, strings.HasPrefix(text, `{"agent_id":"a","output":"found \"it\" here\n`), text[:100])
	var object map[string]string
	require.NoError(t, json.Unmarshal([]byte(text), &object))
	require.Equal(t, "completed", object["status"])
	kept, err := os.ReadFile(keptPath(t, object["output"]))
	require.NoError(t, err)
	require.Equal(t, output, string(kept))
}

func TestAViewOfTheSameTextIsCutWithIt(t *testing.T) {
	long := strings.Repeat("x", resultText+1)
	result := telling(agent.Result{Text: long, View: agent.PlainView{Text: long}}, nil).Run(t.Context(), agent.Invocation{})
	require.Equal(t, agent.PlainView{Text: result.Text}, result.View)
	require.Contains(t, result.Text, "bytes of output are left out here …]")
}
