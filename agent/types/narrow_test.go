package types

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestTheUsersFileTakesThePlaceOfABuiltInType(t *testing.T) {
	found := shelve(t, map[string]string{"config/agents/explore.md": "---\n" + described + "tools: read, shell\n---\nMine."}).load()
	kind := found.kind(t, "explore")
	require.Equal(t, []string{"read", "shell"}, kind.Tools)
	require.Empty(t, kind.Mode)
	require.Equal(t, "Mine.", kind.Prompt)
	require.Len(t, found.Types, 3)
}

func TestAProjectsFileNarrowsATypeAndNeverWidensIt(t *testing.T) {
	s := shelve(t, map[string]string{
		"config/agents/hand.md":   "---\n" + described + "tools: read, edit, mcp__*\npermission_mode: default\nmax_steps: 10\nmodel: anthropic/mine\nisolation: process\n---\nMine.",
		".pawl/agents/hand.md":    "---\ndescription: theirs\ntools: read, shell, mcp__git__*\npermission_mode: bypass\nmax_steps: 50\n---\n",
		".pawl/agents/explore.md": "---\n" + described + "permission_mode: bypass\n---\nTheirs.",
		".pawl/agents/general.md": "---\n" + described + "tools: [grep, shell]\nmax_steps: 3\n---\n",
		".pawl/agents/plan.md":    "---\n" + described + "tools: '*'\n---\n",
	})
	found := s.load()
	require.Empty(t, found.Problems)
	hand := found.kind(t, "hand")
	require.Equal(t, []string{"mcp__git__*", "read"}, hand.Tools)
	require.Equal(t, "default", hand.Mode)
	require.Equal(t, 10, hand.MaxSteps)
	require.Equal(t, "theirs", hand.Description)
	require.Equal(t, "Mine.", hand.Prompt)
	require.Equal(t, "anthropic/mine", hand.Model)
	require.EqualValues(t, "process", hand.Isolation)
	require.Equal(t, ".pawl/agents/hand.md", hand.Source)
	explore := found.kind(t, "explore")
	require.Equal(t, "plan", explore.Mode)
	require.Equal(t, "Theirs.", explore.Prompt)
	require.False(t, explore.Allows("shell"))
	require.True(t, explore.Allows("read"))
	require.Equal(t, []string{"grep", "shell"}, found.kind(t, "general").Tools)
	plan := found.kind(t, "plan")
	require.True(t, plan.Allows("read"))
	require.False(t, plan.Allows("shell"))
	require.Len(t, found.Notes, 1, found.Notes)
	require.Contains(t, found.Notes[0].String(), "the tool shell is left out")
}

func TestWhatTwoListsHaveInCommonIsInBoth(t *testing.T) {
	for _, row := range []struct{ over, base, want []string }{
		{[]string{"read"}, nil, []string{"read"}},
		{[]string{"read", "shell"}, []string{"read"}, []string{"read"}},
		{[]string{"*"}, []string{"read", "mcp__*"}, []string{"mcp__*", "read"}},
		{[]string{"mcp__a__*"}, []string{"mcp__*"}, []string{"mcp__a__*"}},
		{[]string{"mcp__*"}, []string{"mcp__a__*"}, []string{"mcp__a__*"}},
		{[]string{"a*"}, []string{"*b"}, []string{}}, // neither holds the other
		{[]string{"shell"}, []string{"read"}, []string{}},
		{[]string{}, []string{"read"}, []string{}},
		{[]string{"read"}, []string{}, []string{}},
	} {
		require.Equal(t, row.want, intersect(row.over, row.base), "%v in %v", row.over, row.base)
	}
}

func TestOfTwoFilesWithOneNameOneCountsAndItIsSaid(t *testing.T) {
	found := shelve(t, map[string]string{
		".pawl/agents/a.md":   "---\n" + described + "name: same\nmax_steps: 1\n---\n",
		".pawl/agents/b.md":   "---\n" + described + "name: same\nmax_steps: 2\n---\n",
		".claude/agents/c.md": "---\n" + described + "name: same\nmaxTurns: 3\n---\n",
	}).load()
	require.Equal(t, 1, found.kind(t, "same").MaxSteps)
	require.Equal(t, []Remark{{".pawl/agents/b.md", `the name "same" is taken by .pawl/agents/a.md: choose another`}}, found.Problems)
	require.Equal(t, []Remark{{".claude/agents/c.md", ".pawl/agents/a.md is used instead: it has the same name"}}, found.Notes)
}

func TestATypeGetsTheToolsOfTheServersThatItNames(t *testing.T) {
	found := shelve(t, map[string]string{
		".pawl/agents/a.md":   "---\n" + described + "mcp_servers: [github, docs]\n---\n",
		".pawl/agents/b.md":   "---\n" + described + "mcp_servers: []\n---\n",
		".pawl/agents/c.md":   "---\n" + described + "---\n",
		".claude/agents/d.md": "---\n" + described + "mcpServers:\n  - docs\n---\n",
		".claude/agents/e.md": "---\n" + described + "mcpServers:\n  - docs:\n      command: x\n---\n",
	}).load()
	require.Empty(t, found.Problems)
	for name, want := range map[string][]bool{"a": {true, true, true, false}, "b": {true, false, false, false}, "c": {true, true, true, true}, "d": {true, false, true, false}, "e": {true, true, true, true}} {
		kind := found.kind(t, name)
		for i, server := range []string{"", "github", "docs", "other"} {
			require.Equal(t, want[i], kind.AllowsServer(server), "%s %s", name, server)
		}
	}
	require.Equal(t, "all; MCP servers: github, docs", ToolWords(found.kind(t, "a")))
	require.Equal(t, "all; MCP servers: none", ToolWords(found.kind(t, "b")))
	require.Len(t, found.Notes, 1)
	require.Contains(t, found.Notes[0].String(), "Pawl starts no servers that a type defines")

	require.False(t, narrow(agent.Type{}, agent.Type{Idempotent: true}).Idempotent, "that it may be done twice is its owner's to say")
	require.True(t, narrow(agent.Type{Idempotent: true}, agent.Type{}).Idempotent)
	narrowed := narrow(agent.Type{Servers: []string{"docs"}}, agent.Type{Servers: []string{"docs", "github"}})
	require.Equal(t, []string{"docs"}, narrowed.Servers)
	require.Equal(t, []string{"docs"}, narrow(agent.Type{Servers: []string{"docs"}}, agent.Type{}).Servers)
}
