package settings

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/counttest"
)

// mostToLoad is the allocations of settings as people have them: see counttest. 406: each
// setting that a variable can make costs some four.
const mostToLoad = 420

const usualFile = `
model = "anthropic/claude-sonnet-4-5"
permission_mode = "default"
[subagents]
max_background = 3
foreground_warning = "90s"
[permissions]
allow = ["shell(go test *)", "edit(src/**)"]
deny = ["shell(rm *)"]
[mcp.docs]
command = ["docs-server", "--stdio"]
`

var usualVariables = []string{"HOME=/root", "PATH=/usr/bin", "PAWL_MODEL=openai/y", "PAWL_SUBAGENTS_MAX_AUTO_RESUMES=2"}

func TestCostOfLoadingTheSettings(t *testing.T) {
	path := file(t, usualFile)
	counttest.Allocations(t, "the settings read", mostToLoad, 1, func() {
		_, err := Load(path, usualVariables)
		require.NoError(t, err)
	})
}

// BenchmarkLoad is the user's file and variables, read and checked.
func BenchmarkLoad(b *testing.B) {
	path := file(b, usualFile)
	b.ReportAllocs()
	for b.Loop() {
		_, err := Load(path, usualVariables)
		require.NoError(b, err)
	}
}
