package permission

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

func TestANarrowingCoversWhatItsRulesNameAndNothingElse(t *testing.T) {
	n, err := ParseNarrowing([]string{"read(*)", "shell(git add *)", "shell(git commit *)", "edit(docs/**)", "fetch(host:go.dev)", "mcp(disk__*)"})
	require.NoError(t, err)
	for subject, covered := range map[string]bool{
		"git add -A":                      true,
		"git add . && git commit -m done": true,
		"git commit -m \"$(cat <<'EOF'\nfeat: x\nEOF\n)\"": true,
		"git push":                      false,
		"git add $(rm -rf x)":           false,
		"git add x; rm x":               false,
		"git add x > y":                 false,
		"git add x 2>/dev/null":         true,
		"GIT_EDITOR=rm git commit":      false,
		"bash -c 'git add x'":           false,
		"git add 'x":                    false,
		"echo hello":                    true,
		"echo hello > x":                false,
		"cat secret":                    false,
		"f() { git add x; }; rm":        false,
		"":                              false,
		"git add x | xargs git add foo": false,
	} {
		require.Equal(t, covered, n.Covers(agent.Effect{Kind: agent.EffectShell, Subject: subject}), subject)
	}
	for _, c := range []struct {
		kind    agent.EffectKind
		subject string
		covered bool
	}{
		{agent.EffectEdit, "docs/a.md", true},
		{agent.EffectEdit, "main.go", false},
		{agent.EffectFetch, "https://go.dev/x", true},
		{agent.EffectFetch, "https://example.com", false},
		{agent.EffectMCP, "disk read {}", true},
		{agent.EffectMCP, "web get {}", false},
		{agent.EffectRead, "main.go", true},
	} {
		require.Equal(t, c.covered, n.Covers(agent.Effect{Kind: c.kind, Subject: c.subject}), c.subject)
	}
}

func TestNoNarrowingCoversAllAndAnEmptyOneOnlyReading(t *testing.T) {
	none, err := ParseNarrowing(nil)
	require.NoError(t, err)
	require.True(t, none.Covers(agent.Effect{Kind: agent.EffectShell, Subject: "rm x"}))
	reads, err := ParseNarrowing([]string{"read(*)"})
	require.NoError(t, err)
	require.False(t, reads.Covers(agent.Effect{Kind: agent.EffectShell, Subject: "ls"}))
	whole, err := ParseNarrowing([]string{"shell(*)"})
	require.NoError(t, err)
	require.True(t, whole.Covers(agent.Effect{Kind: agent.EffectShell, Subject: "x=$(a) b > c"}))
	_, err = ParseNarrowing([]string{"nonsense"})
	require.Error(t, err)
}
