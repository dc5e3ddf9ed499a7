//go:build unix

package remoterun

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheNextProcessRemovesWhatADeadOneLeftAndNothingElse(t *testing.T) {
	t.Parallel()
	below := filepath.Join(t.TempDir(), "runs")
	alive, release, err := takeFolder(below)
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(alive, "run"), 0o700))
	dead := filepath.Join(below, "worker-dead") // the kernel has unlocked its file
	require.NoError(t, os.MkdirAll(filepath.Join(dead, "run", "tree"), 0o700))
	require.NoError(t, os.WriteFile(dead+lockSuffix, nil, 0o600))

	other, releaseOther, err := takeFolder(below)
	require.NoError(t, err)
	require.NotEqual(t, alive, other)
	require.NoDirExists(t, dead)
	require.NoFileExists(t, dead+lockSuffix)
	require.DirExists(t, filepath.Join(alive, "run"))
	releaseOther()
	release()
}
