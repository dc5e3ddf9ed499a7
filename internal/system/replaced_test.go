package system

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAProgramFindsItsFileWhenItWasReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pawl")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o755))
	file, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, path, where(path, file))
	require.NoError(t, os.Link(path, Previous(path)))
	require.NoError(t, os.WriteFile(path+".new", []byte("new"), 0o755))
	require.NoError(t, os.Rename(path+".new", path))
	require.Equal(t, Previous(path), where(path, file))
	require.NoError(t, os.Remove(Previous(path)))
	require.Equal(t, path, where(path, file), "there is no better one")
	require.Equal(t, path, where(path, nil))
}
