package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestDeadServersAreALineAndTheLivingEndWithPawl(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), looks)
	withOwnServers(t, s, `
[mcp.disk]
command = ["sh", "server.sh", "the-living-one"]
env = {MARK = "`+mcpMark(s)+`"}
[mcp.gone]
command = ["sh", "-c", "echo I fell >&2; exit 4"]
[mcp.off]
command = ["false"]
enabled = false
`)
	_, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("--permission-mode", "bypass", "-p", "look below")...)
	require.Equal(t, 0, code, errs)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "gone is down: it ended with exit code 4")
	requireUnmarked(t, s, "the-living-one")
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("look below")
	x.See("There are stones.", "mcp: 1 of 2 down")
	living := watch(t, marked(s, "the-living-one")...)
	x.Crash()
	living.gone(t)

	_, d := examined(t, s, 0)
	require.Equal(t, "ok", d.finding(t, "MCP", "disk").Level)
	require.Equal(t, "config.toml, sh: starts, 1 tool", d.finding(t, "MCP", "disk").Says)
	gone := d.finding(t, "MCP", "gone")
	require.Equal(t, "note", gone.Level)
	require.Equal(t, "config.toml, sh: it ended with exit code 4", gone.Says)
	require.Equal(t, []string{"its last output: I fell"}, gone.More)
	require.Contains(t, d.finding(t, "MCP", "off").Says, "switched off")
	requireUnmarked(t, s, "the-living-one")
}
