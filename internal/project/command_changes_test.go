package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/base"
)

const leftServers = `{"mcpServers": {"a": {"command": "x"}}}`

// trusting is what --trust makes of the folder.
func trusting(b *base.Base, t *testing.T) *Project {
	t.Helper()
	p, err := Read(t.Context(), b, true)
	require.NoError(t, err)
	return p
}

func TestWhatACommandLeavesTakesAYesInPerson(t *testing.T) {
	b := estate(t)
	lay(b, t, ".pawl/agents/there.md", "---\nname: there\ndescription: d\n---\nWork.")
	l := NewCommandChanges(b)
	ended := l.Around(b.World.Folder)
	lay(b, t, ".mcp.json", leftServers)
	lay(b, t, ".pawl/config.toml", `permissions.deny = ["shell(rm *)"]`)
	ended()

	p := trusting(b, t)
	require.True(t, p.Trusts(p.Kinds), "it was there before")
	require.False(t, p.Trusts(p.Servers))
	require.False(t, p.Trusts(p.Settings))
	require.False(t, p.Untrusted(), "commands are not what it concerns")
	require.Equal(t, "1 MCP server of .mcp.json and the settings of .pawl/config.toml, which appeared or changed while Pawl ran a command: --trust does not cover that; start pawl in a terminal to be asked about it", p.NotTrusted())
	asked := p.Question()
	require.Contains(t, asked.Says, "    (it appeared or changed while Pawl ran a command)")

	other := *b
	other.World.Folder = t.TempDir()
	lay(&other, t, ".mcp.json", leftServers)
	require.NotEmpty(t, trusting(&other, t).NotTrusted(), "wherever it is copied to")
	lay(&other, t, ".mcp.json", `{"mcpServers": {"b": {"command": "x"}}}`)
	require.Empty(t, trusting(&other, t).NotTrusted(), "other content was left by nobody")

	require.NoError(t, asked.Decide(t.Context(), true))
	require.Empty(t, trusting(b, t).NotTrusted())
	lay(b, t, ".mcp.json", `{"mcpServers": {"mine": {"command": "x"}}}`)
	require.Empty(t, trusting(b, t).NotTrusted(), "a person changed it")
}

func TestWhatACommandLeavesOfGitsMakesEachCommandAQuestion(t *testing.T) {
	b := estate(t)
	l := NewCommandChanges(b)
	ended := l.Around(b.World.Folder)
	for _, folder := range []string{"objects", "refs"} {
		require.NoError(t, os.MkdirAll(filepath.Join(b.World.Folder, ".git", folder), 0o700))
	}
	lay(b, t, ".git/HEAD", "ref: refs/heads/main\n")
	lay(b, t, ".git/config", "[core]\n\tfsmonitor = evil\n")
	require.False(t, trusting(b, t).Trusts(trusting(b, t).git), "who opens the folder meanwhile knows it already")
	ended()
	p := trusting(b, t)
	require.False(t, p.Trusts(p.git))
	require.True(t, p.Untrusted())
	require.Contains(t, p.NotTrusted(), "git settings that run programs, which appeared or changed while Pawl ran a command, so each command needs a yes")
}

// A Pawl that dies while a command runs sees nothing any more of what it leaves.
func TestWhatACommandLeavesIsKnownThoughPawlDied(t *testing.T) {
	b := estate(t)
	lay(b, t, ".pawl/agents/there.md", "---\nname: there\ndescription: d\n---\nWork.")
	NewCommandChanges(b).Around(b.World.Folder) // and no end
	lay(b, t, ".mcp.json", leftServers)
	for range 2 {
		p := trusting(b, t)
		require.False(t, p.Trusts(p.Servers))
		require.True(t, p.Trusts(p.Kinds))
	}
}

func TestBetweenCommandsAPersonChangesWhatTheyLike(t *testing.T) {
	b := estate(t)
	l := NewCommandChanges(b)
	l.Around(b.World.Folder)()
	lay(b, t, ".mcp.json", leftServers)
	first, second := l.Around(b.World.Folder), l.Around(b.World.Folder)
	first()
	second()
	require.Empty(t, trusting(b, t).NotTrusted())
	lay(b, t, ".pawl/config.toml", `permissions.deny = ["shell(rm *)"]`)
	require.Empty(t, trusting(b, t).NotTrusted(), "no command runs")
}
