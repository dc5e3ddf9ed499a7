package workspace

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/tools/filestore"
)

// openedKept is opened with a file store.
func openedKept(t *testing.T, archive string) *Workspace {
	t.Helper()
	w := opened(t, archive)
	w.Files = filestore.New(filepath.Join(t.TempDir(), "session"))
	t.Cleanup(func() { require.NoError(t, w.Files.Close()) })
	return w
}

// planned is the plan of a file's new content.
func (w *Workspace) planned(t *testing.T, path, content string) func() (Change, error) {
	t.Helper()
	return func() (Change, error) {
		at, old, err := w.Target(path)
		return Change{Path: at, Old: old, Data: []byte(content)}, err
	}
}

func TestNothingIsOverwrittenBeforeWhatItHoldsIsOnTheDisk(t *testing.T) {
	w := openedKept(t, "-- a.txt --\nold\n")
	c, err := w.planned(t, "a.txt", "new\n")()
	require.NoError(t, err)
	k := w.keep("r1", "c1", c)
	before := k.file().Before.Hash
	require.True(t, w.Files.Has(before))
	require.False(t, w.Files.Synced(before))
	f, err := os.Create(filepath.Join(w.Folder(), "temporary"))
	require.NoError(t, err)
	defer f.Close()
	_, err = syncBoth(f, k) // what save waits for before it renames
	require.NoError(t, err)
	require.True(t, w.Files.Synced(before))
	require.Empty(t, k.file().Uncovered)

	made, err := w.Apply("r1", "c1", w.planned(t, "a.txt", "new\n"))
	require.NoError(t, err)
	require.True(t, w.Files.Synced(made.Changed.Files[0].After.Hash), "so the next change need not wait for it")
}

// What another program made of a file since Pawl's last change of it is kept as like that.
func TestAFileThatWasChangedByOthersTooIsKeptAsLikeItWas(t *testing.T) {
	w := openedKept(t, "")
	text := ""
	for i := range 2000 {
		text += filestore.Hash([]byte{byte(i), byte(i >> 8)})[:20] + "\n"
	}
	plan := func(content string) func() (Change, error) {
		return func() (Change, error) {
			c := Change{Path: "a.txt", Data: []byte(content)}
			if old, err := w.load("a.txt", os.O_RDONLY); err == nil {
				c.Old = &old
			}
			return c, nil
		}
	}
	_, err := w.Apply("r1", "c1", plan(text))
	require.NoError(t, err)
	size := packOf(t, w)
	require.NoError(t, os.WriteFile(filepath.Join(w.Folder(), "a.txt"), []byte(text+"formatted\n"), 0o600))
	made, err := w.Apply("r1", "c2", plan(text+"formatted\nand changed\n"))
	require.NoError(t, err)
	require.Equal(t, []lifecycle.FileChange{{
		Path:   "a.txt",
		Before: lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: filestore.Hash([]byte(text + "formatted\n")), Size: int64(len(text)) + 10, Mode: made.Changed.Files[0].After.Mode},
		After:  lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: filestore.Hash([]byte(text + "formatted\nand changed\n")), Size: int64(len(text)) + 22, Mode: made.Changed.Files[0].After.Mode},
	}}, made.Changed.Files)
	require.Less(t, packOf(t, w)-size, int64(200))
}

// packOf is how much the file store takes.
func packOf(t *testing.T, w *Workspace) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(w.Files.Folder(), "pack"))
	require.NoError(t, err)
	return info.Size()
}
