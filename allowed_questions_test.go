package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
)

// A yes for a whole tool was given to what was read then. What is asked about for its
// own sake it does not cover.
func TestAYesForAToolLeavesWhatIsAskedAboutForItsOwnSake(t *testing.T) {
	deny, err := permission.ParseRule("shell(rm *)")
	require.NoError(t, err)
	var ask permission.AskRule
	require.NoError(t, ask.UnmarshalText([]byte("shell(git push *)")))
	r := rules{Mode: permission.Default, Permissions: permission.Rules{Deny: []permission.Rule{deny}, Ask: []permission.AskRule{ask}}}
	for subject, each := range map[agent.Effect]bool{
		{Kind: agent.EffectShell, Subject: "make"}:                  false,
		{Kind: agent.EffectShell, Subject: "git push origin"}:       true,
		{Kind: agent.EffectShell, Subject: "make && git push -f"}:   true,
		{Kind: agent.EffectShell, Subject: "$X y"}:                  true, // rm, for all that is known
		{Kind: agent.EffectEdit, Subject: "refund.go"}:              false,
		{Kind: agent.EffectEdit, Subject: ".git/config"}:            true,
		{Kind: agent.EffectEdit, Subject: ".git/hooks/post-commit"}: true,
		{Kind: agent.EffectEdit, Subject: ".pawl/config.toml"}:      true,
	} {
		require.Equal(t, each, r.each(subject), subject.Subject)
	}
}
