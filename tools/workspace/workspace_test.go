package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// opened makes a folder of files from a txtar text and opens it.
func opened(t *testing.T, archive string) *Workspace {
	t.Helper()
	folder := t.TempDir()
	for _, file := range txtar.Parse([]byte(archive)).Files {
		write(t, folder, file.Name, string(file.Data))
	}
	w, err := Open(folder)
	require.NoError(t, err)
	t.Cleanup(func() { w.Close() })
	return w
}

func write(t *testing.T, folder, name, content string) {
	t.Helper()
	path := filepath.Join(folder, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
}

func TestNewWorkspaceWithoutAFolder(t *testing.T) {
	_, err := Open(filepath.Join(t.TempDir(), "none"))
	require.True(t, errors.Is(err, fs.ErrNotExist), err)
}

func TestWhatIsForgottenHasToBeReadAgain(t *testing.T) {
	w := opened(t, "-- a --\none\n-- b --\ntwo\n-- c --\nthree\n")
	for _, path := range []string{"a", "b", "c"} {
		w.MarkSeen(path, [32]byte{1})
	}
	_, now, err := w.Target("a")
	require.NoError(t, err)
	w.MarkSeen("a", now.sum())
	require.NoError(t, w.CheckFresh("a", *now))
	w.Outdate("a")
	require.ErrorContains(t, w.CheckFresh("a", *now), "a has changed since you read it")
	require.True(t, w.Seen("b"))
	w.Forget()
	require.False(t, w.Seen("a") || w.Seen("b") || w.Seen("c"))
	require.NoError(t, w.CheckFresh("a", *now))
}

// A search reads by the name that it has found; a link that came into the path since leads to a file
// for which other rules hold.
func TestAFileThatALinkLedToIsNotAtItsPath(t *testing.T) {
	w := opened(t, "-- d/key --\nfree\n-- vault/key --\nlocked up\n")
	f, info, err := w.OpenInside("d/key")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.True(t, w.At("d/key", info))
	require.NoError(t, os.Rename(filepath.Join(w.Folder(), "d"), filepath.Join(w.Folder(), "e")))
	require.NoError(t, os.Symlink("vault", filepath.Join(w.Folder(), "d")))
	f, info, err = w.OpenInside("d/key")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.False(t, w.At("d/key", info))
}
