package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
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
		r.Wary, r.Mode = row.wary, row.mode
		left := r.permit(agent.Effect{Kind: agent.EffectShell, Subject: row.subject})
		require.Equal(t, []bool{row.allow, row.ask}, []bool{left.Allow, left.Ask}, row)
	}
	r.Wary, r.Mode = true, permission.Default
	require.Empty(t, r.propose(agent.Effect{Kind: agent.EffectShell, Subject: "go test ./..."}))
	require.True(t, r.permit(agent.Effect{Kind: agent.EffectRead, Subject: "calc.go"}).Allow, "reading runs nothing")
	r.Wary = false
	require.NotEmpty(t, r.propose(agent.Effect{Kind: agent.EffectShell, Subject: "go test ./..."}))
}
