package tools

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestInstructionsGoWithTheFirstLookAtAFileAndNotWithAFailure(t *testing.T) {
	w := plant(t, "-- web/a.ts --\none\n-- web/AGENTS.md --\nuse tabs\n")
	var asked []string
	all := Instructed([]agent.Tool{Read(w), Write(w), List(w)}, w, func(path string) []agent.Instruction {
		asked = append(asked, path)
		return []agent.Instruction{{Source: "web/AGENTS.md", Text: "use tabs"}}
	})
	run := func(tool int, input string) agent.Result {
		return all[tool].Run(t.Context(), agent.Invocation{Input: json.RawMessage(input)})
	}
	require.Len(t, run(0, `{"path": "./web/../web/a.ts"}`).Instructions, 1)
	require.Len(t, run(1, `{"path": "web/b.ts", "content": "x"}`).Instructions, 1)
	require.Empty(t, run(0, `{"path": "web/AGENTS.md"}`).Instructions, "the result has them")
	require.Empty(t, run(0, `{"path": "web/missing.ts"}`).Instructions)
	require.Empty(t, run(0, `{"path": "../outside"}`).Instructions)
	require.Empty(t, run(0, `not JSON`).Instructions)
	require.Empty(t, run(2, `{"path": "web"}`).Instructions, "a list touches no file")
	require.Equal(t, []string{"web/a.ts", "web/b.ts", "web/AGENTS.md"}, asked, "by the located path")
}
