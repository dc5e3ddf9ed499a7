package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A command writes a server for the next start. --trust does not start it, with a line;
// a person's yes does, and from then on --trust has nothing to leave out.
func TestWhatACommandLeftForTheNextStartIsLeftOut(t *testing.T) {
	t.Parallel()
	const servers = `{"mcpServers": {"disk": {"command": "sh", "args": ["server.sh"], "env": {"MARK": "mark"}}}}`
	s := set(t, chatProtocol(), func(h heard) reply {
		if h.answered("shell") || !strings.Contains(string(h.raw), "prepare") {
			return say("Done.")
		}
		return do(use("shell", object{"command": "printf %s '" + servers + "' > .mcp.json"}))
	})
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "server.sh"), []byte(mcpScript), 0o600))
	mark := filepath.Join(s.dir, "mark")
	_, errs, code := s.prompted(t, "-p", "prepare", "--permission-mode", "bypass")
	require.Zero(t, code, errs)
	require.FileExists(t, filepath.Join(s.dir, ".mcp.json"))

	_, errs, code = s.prompted(t, "--trust", "-p", "go on")
	require.Zero(t, code, errs)
	require.Contains(t, errs, "pawl: left out 1 MCP server of .mcp.json, which appeared or changed while Pawl ran a command: --trust does not cover that")
	require.NoFileExists(t, mark)

	x := s.open(t, "--trust")
	x.see("Do you trust it?", "it appeared or changed while Pawl ran a command", "disk: sh server.sh")
	require.NoFileExists(t, mark)
	x.type_(keyUp, keyEnter)
	x.see("trusted until it changes")
	require.Equal(t, 0, x.quit())

	require.NoError(t, os.RemoveAll(mark))
	_, errs, code = s.prompted(t, "--trust", "-p", "go on")
	require.Zero(t, code, errs)
	require.NotContains(t, errs, "left out")
	require.FileExists(t, mark)
}
