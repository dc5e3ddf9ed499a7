package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeadServersAreALineAndTheLivingEndWithPawl(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), looks)
	s.withOwnServers(t, `
[mcp.disk]
command = ["sh", "server.sh", "the-living-one"]
env = {MARK = "`+s.mcpMark()+`"}
[mcp.gone]
command = ["sh", "-c", "echo I fell >&2; exit 4"]
[mcp.off]
command = ["false"]
enabled = false
`)
	_, errs, code := run(t, s.dir, s.env, s.flags("--permission-mode", "bypass", "-p", "look below")...)
	require.Equal(t, 0, code, errs)
	requireOneLine(t, errs)
	require.Contains(t, errs, "gone is down: it ended with exit code 4")
	require.Empty(t, s.marked("the-living-one"))
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("look below")
	x.see("There are stones.", "mcp: 1 of 2 down")
	living := watch(t, s.marked("the-living-one")...)
	x.crash()
	living.gone(t)

	_, d := s.examined(t, 0)
	require.Equal(t, "ok", d.finding(t, "MCP", "disk").Level)
	require.Equal(t, "config.toml, sh: starts, 1 tool", d.finding(t, "MCP", "disk").Says)
	gone := d.finding(t, "MCP", "gone")
	require.Equal(t, "note", gone.Level)
	require.Equal(t, "config.toml, sh: it ended with exit code 4", gone.Says)
	require.Equal(t, []string{"its last output: I fell"}, gone.More)
	require.Contains(t, d.finding(t, "MCP", "off").Says, "switched off")
	require.Empty(t, s.marked("the-living-one"))
}
