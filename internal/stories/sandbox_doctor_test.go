package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestDoctorSaysWhichSandboxIsInForce(t *testing.T) {
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	if !hasLandlock() {
		t.Skip("this kernel has no Landlock")
	}
	text, d := examined(t, s, 0)
	found := d.finding(t, "Sandbox", "commands")
	require.Contains(t, found.Says, "in a sandbox (auto), by Landlock version ")
	require.Contains(t, text, "covered: A command writes only below the folder")
	require.Contains(t, text, "not covered: Reading is not restricted")
	require.Contains(t, text, "docker, ssh-agent")
	require.Equal(t, true, found.Value.(map[string]any)["in_force"])

	require.Contains(t, text, "not covered: The network is open")
	require.Contains(t, text, "covered: It cannot gain rights: sudo does not work")
	require.Equal(t, "open", found.Value.(map[string]any)["network"])

	s.With("PAWL_SANDBOX=off")
	_, d = examined(t, s, 0)
	found = d.finding(t, "Sandbox", "commands")
	require.Equal(t, "note", found.Level)
	require.Equal(t, `no sandbox (off): the setting sandbox is "off"`, found.Says)
	require.Equal(t, false, found.Value.(map[string]any)["in_force"])

	s.With("PAWL_SANDBOX=auto", "PAWL_SANDBOX_WRITE=/no/such:/tmp", "PAWL_TOOLS_CONTAINMENT=group")
	text, d = examined(t, s, 0)
	require.Contains(t, text, "not covered: Git's settings and hooks, .pawl and .mcp.json in the folder can be changed by a command: commands have no namespace of their own.")
	require.Equal(t, "note", d.finding(t, "Sandbox", "commands").Level)
	require.Contains(t, text, "sandbox.write: /no/such is not there, and a command cannot make it")
	require.NotContains(t, text, "sandbox.write: /tmp")
}
