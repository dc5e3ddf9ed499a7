package base

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent/settings"
)

// Copies of the database from before updates hold what it held, and the folder of pawl-server the
// key to every worker.
func TestACommandWithoutAQuestionSeesNothingThatPawlKeeps(t *testing.T) {
	f := settings.Folders{Config: t.TempDir(), Data: t.TempDir(), State: t.TempDir()}
	old := filepath.Join(f.Data, "pawl.db.schema-4.20261127T224500.000000000Z")
	require.NoError(t, os.WriteFile(old, nil, 0o600))
	hidden := Sandbox(settings.Settings{}, f).Hide
	require.ElementsMatch(t, []string{old, f.Config, f.State, f.Database(), f.Database() + "-wal", f.Files(), f.Server()}, hidden)
}
