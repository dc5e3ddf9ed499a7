package settings

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsInForceIsSaidAlsoWhereNothingWasChosen(t *testing.T) {
	s, err := Load(filepath.Join(t.TempDir(), "none"), nil)
	require.NoError(t, err)
	require.Equal(t, map[string]any{
		"permission_mode": "default", "sandbox": "auto", "tools.containment": "auto",
		"on_hangup": "detach", "subagents.max_background": 5, "subagents.foreground_warning": "10m0s", "subagents.max_auto_resumes": 10, "subagents.background_permissions": "deny",
		"permissions.deny": []string{}, "permissions.ask": []string{}, "permissions.allow": []string{}, "permissions.sandboxed": "ask",
	}, s.InForce())
}

// An export shows what was in force; what opens a door elsewhere stays out of it.
func TestWhatIsInForceTellsNoAddressAndNoVariable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	require.NoError(t, os.WriteFile(path, []byte(`
sandbox = "strict"
worktree = { base = "dirty", setup = "TOKEN=CANARY npm ci" }
[permissions]
deny = ["shell(rm *)"]
allow = ["shell(go test *)"]
[limits]
max_cost = 2.5
day_max_cost = 20
max_steps = 40
[mcp.tracker]
url = "https://user:CANARY@tracker.example/CANARY"
headers = { Authorization = "CANARY" }
[mcp.local]
command = ["tracker", "--token=CANARY"]
env = { TOKEN = "CANARY" }
[[hooks]]
event = "PreToolUse"
command = ["/usr/bin/vet", "--key=CANARY"]
`), 0o600))
	s, err := Load(path, []string{"PAWL_SUBAGENTS_MAX_BACKGROUND=2"})
	require.NoError(t, err)
	said := s.InForce()
	require.Subset(t, said, map[string]any{
		"sandbox": "strict", "permissions.deny": []string{"shell(rm *)"}, "permissions.allow": []string{"shell(go test *)"},
		"limits.max_cost": 2.5, "limits.day_max_cost": 20.0, "limits.max_steps": 40.0, "mcp": []string{"local", "tracker"},
		"hooks": []string{"PreToolUse: /usr/bin/vet"}, "subagents.max_background": 2,
		"worktree.base": "dirty", "worktree.setup": true,
	})
	encoded, err := json.Marshal(said)
	require.NoError(t, err)
	require.NotContains(t, string(encoded), "CANARY")
}
