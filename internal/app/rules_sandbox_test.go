package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/lifecycle"
	"pawl/tools/process/sandbox"
)

func sandboxRules(t *testing.T, allow string) permission.Rules {
	t.Helper()
	var rule permission.AllowRule
	require.NoError(t, rule.UnmarshalText([]byte(allow)))
	return permission.Rules{Allow: []permission.AllowRule{rule}}
}

func TestWithoutASandboxABackgroundRunGetsAShellByARuleAlone(t *testing.T) {
	shell := agent.Effect{Kind: agent.EffectShell, Subject: "go test ./..."}
	for name, row := range map[string]struct {
		rules      rules
		effect     agent.Effect
		allow, ask bool
		reason     string
	}{
		"by a mode":             {rules{Alone: true, Mode: permission.Bypass}, shell, false, true, noSandbox},
		"by a rule":             {rules{Alone: true, Mode: permission.Bypass, Permissions: sandboxRules(t, "shell(go test *)")}, shell, true, false, ""},
		"by a rule, asked":      {rules{Alone: true, Mode: permission.Default, Permissions: sandboxRules(t, "shell(go test *)")}, shell, true, false, ""},
		"by a rule for another": {rules{Alone: true, Mode: permission.Bypass, Permissions: sandboxRules(t, "shell(go vet *)")}, shell, false, true, noSandbox},
		"with somebody there":   {rules{Mode: permission.Bypass}, shell, true, false, ""},
		"in a mode that asks":   {rules{Alone: true, Mode: permission.Default}, shell, false, true, ""},
		"a file":                {rules{Alone: true, Mode: permission.Bypass}, agent.Effect{Kind: agent.EffectEdit, Subject: "x"}, true, false, ""},
		"in a mode that only reads": {
			rules{Alone: true, Mode: permission.Plan, Permissions: sandboxRules(t, "shell(go test *)")},
			shell, false, false,
			"the session is in plan mode, which only reads: say in your answer what you would change",
		},
	} {
		t.Run(name, func(t *testing.T) {
			row.rules.Sandbox.Mode = sandbox.Off
			require.Equal(t, agent.Decision{Allow: row.allow, Ask: row.ask, Reason: row.reason}, row.rules.permit(row.effect))
			if row.rules.Sandbox.Mode = ""; row.rules.Sandbox.InForce() && row.rules.Mode == permission.Bypass {
				require.True(t, row.rules.permit(row.effect).Allow, "with a sandbox the mode says it")
			}
		})
	}
}

// What was not said is no way out of the sandbox, neither in the settings nor on the
// way to a worker.
func TestAForgottenSandboxIsOne(t *testing.T) {
	made := base.Sandbox(settings.Settings{}, settings.Folders{Config: "/c", Data: "/d", State: "/s"})
	require.Equal(t, sandbox.Policy{Own: []string{"/c", "/s", "/d"}, Keys: []string{"/d/keys.json"}, Hide: []string{"/c", "/s", "/d/pawl.db", "/d/pawl.db-wal", "/d/files", "/d/server"}}, made)
	require.NotEqual(t, sandbox.Off, made.Mode)
	require.NotNil(t, rules{}.commands(lifecycle.Run{}).Sandbox)
	require.Nil(t, rules{}.launcher(lifecycle.Run{}).Sandbox, "Pawl's own programs, and those the user agreed to")
}
