package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pawl/tools/place"

	"github.com/stretchr/testify/require"
)

func TestSaveLeavesNothingBehind(t *testing.T) {
	w := opened(t, "-- a.txt --\nold\n")
	before, err := w.load("a.txt", os.O_RDONLY)
	require.NoError(t, err)
	write(t, w.Folder(), "a.txt", "someone else's\n")
	require.ErrorIs(t, w.save("a.txt", []byte("new"), before.Info, nil), place.ErrMoved)
	require.ErrorIs(t, w.save("a.txt", []byte("new"), nil, nil), place.ErrMoved)
	data, err := os.ReadFile(filepath.Join(w.Folder(), "a.txt"))
	require.NoError(t, err)
	require.Equal(t, "someone else's\n", string(data))
	entries, err := os.ReadDir(w.Folder())
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// A link that is put in the place of a folder after its path was located leads
// the write nowhere.
func TestPinRefusesLinks(t *testing.T) {
	w := opened(t, "-- a/b/x --\n-- .git/hooks/x --\n")
	require.NoError(t, os.RemoveAll(filepath.Join(w.Folder(), "a/b")))
	require.NoError(t, os.Symlink("../.git/hooks", filepath.Join(w.Folder(), "a/b")))
	err := w.save("a/b/new", []byte("x"), nil, nil)
	require.ErrorContains(t, err, "b is a symbolic link, not a folder")
	_, err = os.Stat(filepath.Join(w.Folder(), ".git/hooks/new"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// While a file is replaced, what is written stands under a name that nobody can
// guess, for its owner alone.
func TestATemporaryFileIsForItsOwnerAloneAndCannotBeGuessed(t *testing.T) {
	w := opened(t, "-- a.txt --\nold\n")
	require.NoError(t, os.Chmod(filepath.Join(w.Folder(), "a.txt"), 0o600))
	enough, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			old, err := w.root.Lstat("a.txt")
			if err == nil {
				err = w.save("a.txt", []byte(strings.Repeat("new", 100_000)), old, nil)
			}
			select {
			case <-enough:
				ended <- err
				return
			default:
			}
		}
	}()
	for seen := map[string]bool{}; len(seen) < 3; {
		names, err := filepath.Glob(filepath.Join(w.Folder(), ".pawl-*"))
		require.NoError(t, err)
		for _, name := range names {
			if info, err := os.Lstat(name); err == nil { // else it has its own name by now
				require.Equal(t, fs.FileMode(0o600), info.Mode())
				require.Regexp(t, `/\.pawl-[A-Z2-7]{26}\.tmp$`, name)
				seen[name] = true
			}
		}
	}
	close(enough)
	require.NoError(t, <-ended)
	entries, err := os.ReadDir(w.Folder())
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing is left over")
}
