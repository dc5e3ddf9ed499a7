package app

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/permission/grants"
	"pawl/lifecycle"
	"pawl/tools/process/sandbox"
)

func TestInAFolderThatIsNotTrustedNoRuleAllowsACommand(t *testing.T) {
	allow, err := permission.ParseRule("shell(git status)")
	require.NoError(t, err)
	deny, err := permission.ParseRule("shell(rm *)")
	require.NoError(t, err)
	r := rules{Permissions: permission.Rules{Allow: []permission.AllowRule{{Rule: allow}}, Deny: []permission.Rule{deny}}}
	for _, row := range []struct {
		wary       bool
		mode       permission.Mode
		subject    string
		allow, ask bool
	}{
		{false, permission.Default, "git status", true, false},
		{true, permission.Default, "git status", false, true},
		{true, permission.AcceptEdits, "git status", false, true},
		{true, permission.Plan, "git status", false, false},
		{true, permission.Bypass, "git status", true, false},
		{true, permission.Bypass, "rm x", false, false},
		{true, permission.Default, "rm x", false, false},
	} {
		r.Untrusted, r.Mode = row.wary, row.mode
		left := r.permit(agent.Effect{Kind: agent.EffectShell, Subject: row.subject})
		require.Equal(t, []bool{row.allow, row.ask}, []bool{left.Allow, left.Ask}, row)
	}
	r.Untrusted, r.Mode = true, permission.Default
	require.Empty(t, r.propose(agent.Effect{Kind: agent.EffectShell, Subject: "go test ./..."}))
	require.True(t, r.permit(agent.Effect{Kind: agent.EffectRead, Subject: "calc.go"}).Allow, "reading runs nothing")
	r.Untrusted = false
	require.NotEmpty(t, r.propose(agent.Effect{Kind: agent.EffectShell, Subject: "go test ./..."}))
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
		"one in a folder distrusted":  {rules{Untrusted: true}, lineEffect("make"), true},
		"the same, in bypass":         {rules{Untrusted: true, Mode: permission.Bypass}, lineEffect("make"), false},
		"a page there":                {rules{Untrusted: true}, agent.Effect{Kind: agent.EffectFetch, Subject: "https://go.dev/"}, false},
		"one that a rule may deny":    {rules{}, lineEffect("$X y"), true},
		"one that a rule denies now":  {rules{}, lineEffect("rm x"), true},
		"one after a change to plan":  {rules{Mode: permission.Plan}, lineEffect("make"), true},
		"one alone without a sandbox": {rules{Alone: true, Sandbox: sandbox.Policy{Mode: sandbox.Off}}, lineEffect("make"), true},
		"a file of git's":             {rules{}, agent.Effect{Kind: agent.EffectEdit, Subject: ".git/config"}, true},
		"a file with other names":     {rules{}, agent.Effect{Kind: agent.EffectEdit, Subject: "a", AlwaysAsk: "hard links"}, true},
		"a file":                      {rules{}, agent.Effect{Kind: agent.EffectEdit, Subject: "a"}, false},
	} {
		row.rules.Permissions.Deny = []permission.Rule{deny}
		policy := grants.Policy{Bounds: func(run lifecycle.Run) (grants.Bounds, error) {
			bounds := row.rules.bounds(run)
			bounds.Hooks = func(context.Context, agent.HookInput) agent.HookResult {
				return agent.HookResult{Decision: agent.HookAllow}
			}
			return bounds, nil
		}}
		q := lifecycle.Question{Effect: string(row.effect.Kind), Subject: row.effect.Subject, AlwaysAsk: row.effect.AlwaysAsk}
		require.Equal(t, !row.personal, policy.Consider(t.Context(), lifecycle.Run{}, q, nil).Settled, name)
	}
}

func lineEffect(line string) agent.Effect {
	return agent.Effect{Kind: agent.EffectShell, Subject: line}
}
