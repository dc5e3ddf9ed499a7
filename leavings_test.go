package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const leftServers = `{"mcpServers": {"a": {"command": "x"}}}`

// trusting is what --trust makes of the folder.
func (b *base) trusting(t *testing.T) *project {
	t.Helper()
	p, err := b.asks(t.Context(), true)
	require.NoError(t, err)
	return p
}

func TestWhatACommandLeavesTakesAYesInPerson(t *testing.T) {
	b := estate(t)
	b.lay(t, ".pawl/agents/there.md", "---\nname: there\ndescription: d\n---\nWork.")
	l := newLeavings(b)
	ended := l.around(b.world.folder)
	b.lay(t, ".mcp.json", leftServers)
	b.lay(t, ".pawl/config.toml", `permissions.deny = ["shell(rm *)"]`)
	ended()

	p := b.trusting(t)
	require.True(t, p.trusts(p.kinds), "it was there before")
	require.False(t, p.trusts(p.servers))
	require.False(t, p.trusts(p.settings))
	require.False(t, p.wary(), "commands are not what it concerns")
	require.Equal(t, "1 MCP server of .mcp.json and the settings of .pawl/config.toml, which appeared or changed while Pawl ran a command: --trust does not cover that; start pawl in a terminal to be asked about it", p.leftOut())
	asked := p.stranger()
	require.Contains(t, asked.Says, "    (it appeared or changed while Pawl ran a command)")

	other := *b
	other.world.folder = t.TempDir()
	other.lay(t, ".mcp.json", leftServers)
	require.NotEmpty(t, other.trusting(t).leftOut(), "wherever it is copied to")
	other.lay(t, ".mcp.json", `{"mcpServers": {"b": {"command": "x"}}}`)
	require.Empty(t, other.trusting(t).leftOut(), "other content was left by nobody")

	require.NoError(t, asked.Decide(t.Context(), true))
	require.Empty(t, b.trusting(t).leftOut())
	b.lay(t, ".mcp.json", `{"mcpServers": {"mine": {"command": "x"}}}`)
	require.Empty(t, b.trusting(t).leftOut(), "a person changed it")
}

func TestWhatACommandLeavesOfGitsMakesEachCommandAQuestion(t *testing.T) {
	b := estate(t)
	l := newLeavings(b)
	ended := l.around(b.world.folder)
	for _, folder := range []string{"objects", "refs"} {
		require.NoError(t, os.MkdirAll(filepath.Join(b.world.folder, ".git", folder), 0o700))
	}
	b.lay(t, ".git/HEAD", "ref: refs/heads/main\n")
	b.lay(t, ".git/config", "[core]\n\tfsmonitor = evil\n")
	require.False(t, b.trusting(t).trusts(b.trusting(t).git), "who opens the folder meanwhile knows it already")
	ended()
	p := b.trusting(t)
	require.False(t, p.trusts(p.git))
	require.True(t, p.wary())
	require.Contains(t, p.leftOut(), "git settings that run programs, which appeared or changed while Pawl ran a command, so each command needs a yes")
}

// A Pawl that dies while a command runs sees nothing any more of what it leaves.
func TestWhatACommandLeavesIsKnownThoughPawlDied(t *testing.T) {
	b := estate(t)
	b.lay(t, ".pawl/agents/there.md", "---\nname: there\ndescription: d\n---\nWork.")
	newLeavings(b).around(b.world.folder) // and no end
	b.lay(t, ".mcp.json", leftServers)
	for range 2 {
		p := b.trusting(t)
		require.False(t, p.trusts(p.servers))
		require.True(t, p.trusts(p.kinds))
	}
}

func TestBetweenCommandsAPersonChangesWhatTheyLike(t *testing.T) {
	b := estate(t)
	l := newLeavings(b)
	l.around(b.world.folder)()
	b.lay(t, ".mcp.json", leftServers)
	first, second := l.around(b.world.folder), l.around(b.world.folder)
	first()
	second()
	require.Empty(t, b.trusting(t).leftOut())
	b.lay(t, ".pawl/config.toml", `permissions.deny = ["shell(rm *)"]`)
	require.Empty(t, b.trusting(t).leftOut(), "no command runs")
}
