package tools

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/tools/process"
)

func TestWhatACommandPutsIntoATextSaysAlsoThatItIsNothing(t *testing.T) {
	for line, want := range map[string]string{
		"echo one; echo":   "one",
		"true":             "(it printed nothing)",
		"false":            "[exit code 1]",
		"echo one; exit 3": "one\n[exit code 3]",
	} {
		require.Equal(t, want, Inline(t.Context(), &process.Launcher{}, t.TempDir(), line, agent.Decision{}), line)
	}
}
