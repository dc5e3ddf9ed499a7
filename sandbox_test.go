package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/agent/permission"
	"pawl/agent/settings"
	"pawl/internal/base"
	"pawl/internal/protection"
	"pawl/lifecycle"
	"pawl/tools"
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
			row.rules.Sandbox.Mode = tools.SandboxOff
			require.Equal(t, agent.Leave{Allow: row.allow, Ask: row.ask, Reason: row.reason}, row.rules.permit(row.effect))
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
	require.Equal(t, tools.Sandbox{Own: []string{"/c", "/s", "/d"}}, made)
	require.NotEqual(t, tools.SandboxOff, made.Mode)
	require.NotNil(t, rules{}.commands(lifecycle.Run{}).Sandbox)
	require.Nil(t, rules{}.launcher(lifecycle.Run{}).Sandbox, "Pawl's own programs, and those the user agreed to")
}

func TestTheScreenNamesTheWeakestOfWhatProtects(t *testing.T) {
	fine := protection.Protection{Means: "auto"}
	for name, row := range map[string]struct {
		guard, launcher, sandbox protection.Protection
		want                     string
	}{
		"nothing":                {fine, fine, fine, ""},
		"no sandbox":             {fine, fine, protection.Protection{Why: "no Landlock"}, "commands run without a sandbox · pawl doctor says what that leaves out"},
		"no sandbox, no more":    {protection.Protection{Why: "x"}, protection.Protection{Why: "x"}, protection.Protection{Why: "x"}, "commands run without a sandbox · pawl doctor says what that leaves out"},
		"a strict one is not":    {fine, fine, protection.Protection{Why: "x", Broken: true}, "no command can be started in a sandbox here · pawl doctor says why"},
		"no namespace":           {fine, protection.Protection{Why: "x"}, fine, "tools run without a process namespace · pawl doctor says what that leaves out"},
		"no guard":               {protection.Protection{Why: "x"}, fine, fine, "Pawl runs without its guard · pawl doctor says what that leaves out"},
		"no programs whatsoever": {fine, protection.Protection{Why: "x", Broken: true}, protection.Protection{Why: "x"}, "tools cannot start programs here · pawl doctor says why"},
	} {
		require.Equal(t, row.want, protection.Weakness(row.guard, row.launcher, row.sandbox), name)
	}
}

func TestDoctorSaysWhichSandboxIsInForce(t *testing.T) {
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	if !(tools.Sandbox{}).InForce() {
		t.Skip("this kernel has no Landlock")
	}
	text, d := s.examined(t, 0)
	found := d.finding(t, "Sandbox", "commands")
	require.Contains(t, found.Says, "in a sandbox (auto), by Landlock version ")
	require.Contains(t, text, "covered: A command writes only below the folder")
	require.Contains(t, text, "not covered: Reading is not restricted")
	require.Contains(t, text, "docker, ssh-agent")
	require.Equal(t, true, found.Value.(map[string]any)["in_force"])

	require.Contains(t, text, "not covered: The network is open")
	require.Contains(t, text, "covered: It cannot gain rights: sudo does not work")
	require.Equal(t, "open", found.Value.(map[string]any)["network"])

	s.with("PAWL_SANDBOX=off")
	_, d = s.examined(t, 0)
	found = d.finding(t, "Sandbox", "commands")
	require.Equal(t, "note", found.Level)
	require.Equal(t, `no sandbox (off): the setting sandbox is "off"`, found.Says)
	require.Equal(t, false, found.Value.(map[string]any)["in_force"])

	s.with("PAWL_SANDBOX=auto", "PAWL_SANDBOX_WRITE=/no/such:/tmp", "PAWL_TOOLS_CONTAINMENT=group")
	text, d = s.examined(t, 0)
	require.Contains(t, text, "not covered: Git's settings and hooks, .pawl and .mcp.json in the folder can be changed by a command: commands have no namespace of their own.")
	require.Equal(t, "note", d.finding(t, "Sandbox", "commands").Level)
	require.Contains(t, text, "sandbox.write: /no/such is not there, and a command cannot make it")
	require.NotContains(t, text, "sandbox.write: /tmp")
}
