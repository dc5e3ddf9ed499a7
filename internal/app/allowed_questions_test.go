package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/tools"
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
		require.Equal(t, each, r.asksEach(subject), subject.Subject)
	}
}

// A hook of the user's may answer for them where nothing but a yes is missing.
func TestAHooksYesDoesNotLiftWhatIsAPersonsToSay(t *testing.T) {
	deny, err := permission.ParseRule("shell(rm *)")
	require.NoError(t, err)
	for name, row := range map[string]struct {
		rules    rules
		effect   agent.Effect
		personal bool
	}{
		"a command":                   {rules{}, lineEffect("make"), false},
		"one in a folder distrusted":  {rules{Wary: true}, lineEffect("make"), true},
		"the same, in bypass":         {rules{Wary: true, Mode: permission.Bypass}, lineEffect("make"), false},
		"a page there":                {rules{Wary: true}, agent.Effect{Kind: agent.EffectFetch, Subject: "https://go.dev/"}, false},
		"one that a rule may deny":    {rules{}, lineEffect("$X y"), true},
		"one that a rule denies now":  {rules{}, lineEffect("rm x"), true},
		"one after a change to plan":  {rules{Mode: permission.Plan}, lineEffect("make"), true},
		"one alone without a sandbox": {rules{Alone: true, Sandbox: tools.Sandbox{Mode: tools.SandboxOff}}, lineEffect("make"), true},
		"a file of git's":             {rules{}, agent.Effect{Kind: agent.EffectEdit, Subject: ".git/config"}, true},
		"a file with other names":     {rules{}, agent.Effect{Kind: agent.EffectEdit, Subject: "a", Delicate: "hard links"}, true},
		"a file":                      {rules{}, agent.Effect{Kind: agent.EffectEdit, Subject: "a"}, false},
	} {
		row.rules.Permissions.Deny = []permission.Rule{deny}
		require.Equal(t, row.personal, row.rules.personal(row.effect), name)
	}
}

func lineEffect(line string) agent.Effect {
	return agent.Effect{Kind: agent.EffectShell, Subject: line}
}
