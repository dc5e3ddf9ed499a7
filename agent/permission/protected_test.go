package permission

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
)

// A yes for a whole tool was given to what was read then. What is asked about for its
// own sake it does not cover.
func TestAYesForAToolLeavesWhatIsAskedAboutForItsOwnSake(t *testing.T) {
	deny, err := ParseRule("shell(rm *)")
	require.NoError(t, err)
	var ask AskRule
	require.NoError(t, ask.UnmarshalText([]byte("shell(git push *)")))
	rules := Rules{Deny: []Rule{deny}, Ask: []AskRule{ask}}
	for effect, each := range map[agent.Effect]bool{
		{Kind: agent.EffectShell, Subject: "make"}:                  false,
		{Kind: agent.EffectShell, Subject: "git push origin"}:       true,
		{Kind: agent.EffectShell, Subject: "make && git push -f"}:   true,
		{Kind: agent.EffectShell, Subject: "$X y"}:                  true, // rm, for all that is known
		{Kind: agent.EffectEdit, Subject: "refund.go"}:              false,
		{Kind: agent.EffectEdit, Subject: ".git/config"}:            true,
		{Kind: agent.EffectEdit, Subject: ".git/hooks/post-commit"}: true,
		{Kind: agent.EffectEdit, Subject: ".pawl/config.toml"}:      true,
	} {
		require.Equal(t, each, rules.Guarded(effect), effect.Subject)
	}
}
