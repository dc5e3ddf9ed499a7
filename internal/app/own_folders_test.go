package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/permission"
)

func TestNoFileToolReadsTheKeysThatPawlKeeps(t *testing.T) {
	real := t.TempDir()
	home := filepath.Join(t.TempDir(), "home")
	require.NoError(t, os.Symlink(real, home))
	t.Setenv("PAWL_HOME", home)
	require.NoError(t, os.MkdirAll(filepath.Join(real, "data"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(real, "data", "keys.json"), []byte("{}"), 0o600))
	for folder, path := range map[string]string{home: "data/keys.json", real: "data/KEYS.json", filepath.Join(home, "data"): "keys.json", "/": filepath.Join(home, "data", "keys.json")} {
		require.ErrorContains(t, readable(permission.Rules{}, folder)(path), "it holds keys", path)
	}
	require.NoError(t, readable(permission.Rules{}, home)("data/pawl.db"))
	require.NoError(t, readable(permission.Rules{}, t.TempDir())("data/keys.json"))
}
