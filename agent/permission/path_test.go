package permission

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// A name that some file system takes for one that is asked about is asked about.
func TestAProtectedNameIsOneHoweverAFileSystemReadsIt(t *testing.T) {
	r := ruled(t, nil, nil, []string{"edit(**)"})
	for _, path := range []string{
		".git", ".GIT/config", ".g\u200cit/config", ".git\u200d/hooks/x", "\ufeff.git/config", ".git./config", ".git /config", ".git::$INDEX_ALLOCATION/config", "GIT~1/config",
		"a/.Git/hooks/x", ".\u0261it/../.git/x", ".pawl", ".PAWL/agents/x.md", "x/.pawl/config.toml", ".mcp.json", ".MCP.json", "x/.mcp.json", ".mcp.json/", ".claude/agents/x.md",
		".Claude/settings.local.json", AllowedFile, "x/Allowed.toml", "home/.config/pawl/config.toml",
	} {
		for _, mode := range []Mode{Default, AcceptEdits, Bypass} {
			got, why := r.Decide(mode, agent.Effect{Kind: agent.EffectEdit, Subject: path})
			require.Equal(t, Ask, got, "%q in %s", path, mode)
			require.Contains(t, why, "in every mode")
		}
		got, _ := r.Decide(Plan, agent.Effect{Kind: agent.EffectEdit, Subject: path})
		require.Equal(t, Deny, got, path)
	}
	for _, path := range []string{".gitignore", ".github/workflows/x.yml", ".gitattributes", "git/config", "config.toml", "pawl.toml", "mcp.json", "claude/x", "a.git.txt"} {
		got, _ := r.Decide(Default, agent.Effect{Kind: agent.EffectEdit, Subject: path})
		require.Equal(t, Allow, got, path)
	}
}

// What a tool has a reason to ask about is asked about whatever rule and mode allow it,
// and denied where that is what they say.
func TestADelicateEffectIsAskedAboutWhateverAllowsIt(t *testing.T) {
	r := ruled(t, []string{"edit(vault/**)"}, nil, []string{"edit(**)"})
	effect := agent.Effect{Kind: agent.EffectEdit, Subject: "a", AlwaysAsk: "it has other names"}
	for mode, want := range map[Mode]Decision{Default: Ask, AcceptEdits: Ask, Bypass: Ask, Plan: Deny} {
		got, _ := r.Decide(mode, effect)
		require.Equal(t, want, got, mode)
	}
	require.Empty(t, r.Propose(Default, effect))
	effect.Subject = "vault/a"
	got, _ := r.Decide(Bypass, effect)
	require.Equal(t, Deny, got)
}
