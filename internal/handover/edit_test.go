package handover

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFrontEditsOnlyWhatHostsMakeForIt(t *testing.T) {
	state := t.TempDir()
	made := func(folder, name string) string {
		require.NoError(t, os.MkdirAll(filepath.Join(state, folder), 0o700))
		path := filepath.Join(state, folder, name)
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		return path
	}
	require.True(t, Editable(state, made("editor-1", EditFile)))
	link := filepath.Join(state, "editor-2")
	require.NoError(t, os.Symlink(filepath.Join(state, "editor-1"), link))
	linked := filepath.Join(state, "editor-3", EditFile)
	require.NoError(t, os.Mkdir(filepath.Dir(linked), 0o700))
	require.NoError(t, os.Symlink("/etc/passwd", linked))
	for _, path := range []string{
		"", "/etc/passwd", made("editor-1", "other.md"), made("outputs", EditFile), made("deep/editor-1", EditFile), filepath.Join(link, EditFile), linked,
		filepath.Join(state, "editor-none", EditFile), state + "/editor-1/../editor-1/" + EditFile, filepath.Dir(made("editor-4", EditFile)),
	} {
		require.False(t, Editable(state, path), path)
	}
	require.False(t, Editable(filepath.Join(state, "gone"), made("editor-1", EditFile)))
}
