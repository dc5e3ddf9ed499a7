package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A command writes a server for the next start. --trust does not start it, with a line;
// a person's yes does, and from then on --trust has nothing to leave out.
func TestWhatACommandLeftForTheNextStartIsLeftOut(t *testing.T) {
	t.Parallel()
	const servers = `{"mcpServers": {"disk": {"command": "sh", "args": ["server.sh"], "env": {"MARK": "mark"}}}}`
	s := harness.NewStage(t, modeltest.Chat(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("shell") || !strings.Contains(string(h.Raw), "prepare") {
			return modeltest.Say("Done.")
		}
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "printf %s '" + servers + "' > .mcp.json"}))
	})
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "server.sh"), []byte(harness.MCPScript), 0o600))
	mark := filepath.Join(s.Dir, "mark")
	_, errs, code := s.Prompted(t, "-p", "prepare", "--permission-mode", "bypass")
	require.Zero(t, code, errs)
	require.FileExists(t, filepath.Join(s.Dir, ".mcp.json"))

	_, errs, code = s.Prompted(t, "--trust", "-p", "go on")
	require.Zero(t, code, errs)
	require.Contains(t, errs, "pawl: left out 1 MCP server of .mcp.json, which appeared or changed while Pawl ran a command: --trust does not cover that")
	require.NoFileExists(t, mark)

	x := s.Open(t, "--trust")
	x.See("Do you trust it?", "it appeared or changed while Pawl ran a command", "disk: sh server.sh")
	require.NoFileExists(t, mark)
	x.Type(harness.KeyUp, harness.KeyEnter)
	x.See("trusted until it changes")
	require.Equal(t, 0, x.Quit())

	require.NoError(t, os.RemoveAll(mark))
	_, errs, code = s.Prompted(t, "--trust", "-p", "go on")
	require.Zero(t, code, errs)
	require.NotContains(t, errs, "left out")
	require.FileExists(t, mark)
}
