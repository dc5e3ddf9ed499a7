package worktrees

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/worktree"
	"pawl/store"
	"pawl/tools/git"
	"pawl/tools/process"
)

func TestAWorktreeThatIsNotThereNamesTheNearestWhereThereIsOne(t *testing.T) {
	c := removeOptions{names: []string{"fix-cart"}}
	_, err := c.chosen(nil)
	require.EqualError(t, err, `no worktree "fix-cart": there are none`)
	_, err = c.chosen([]treeRow{{Path: "/data/s/fix-the-cart-3fa21b"}, {Path: "/data/s/read-it-01ab23"}})
	require.EqualError(t, err, `no worktree "fix-cart" (pawl worktrees lists them)`, "a guess would be too far off")
	c.names[0] = "fix-the-cart-3fa12b"
	_, err = c.chosen([]treeRow{{Path: "/data/s/fix-the-cart-3fa21b"}, {Path: "/data/s/read-it-01ab23"}})
	require.EqualError(t, err, `no worktree "fix-the-cart-3fa12b"; did you mean "fix-the-cart-3fa21b"? (pawl worktrees lists them)`)
}

func TestAWorktreeThatWasHalfMadeWhenItWasListedIsLookedAtAgain(t *testing.T) {
	n, repository := noteOfTree(t)
	row := treeRow{Path: n.Path, Branch: n.Branch, Base: n.Base, note: n, repository: repository}
	row.look(t.Context(), nil)
	require.False(t, row.holds(), "nobody has worked in it yet")
	n.Ready = true
	keepNote(t, n)
	require.NoError(t, os.WriteFile(filepath.Join(n.Path, "work.go"), []byte("x"), 0o600))
	kept, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, kept.Close()) })
	_, err = (&removeOptions{allUnchanged: true}).removeOne(t.Context(), kept, row, nil)
	require.ErrorContains(t, err, "uncommitted changes: work.go")
	require.FileExists(t, filepath.Join(n.Path, "work.go"))
}

// noteOfTree is a note of a worktree that git has made, and that says it is half made.
func noteOfTree(t *testing.T) (worktree.Note, git.Repository) {
	t.Helper()
	top := filepath.Join(realTemp(t), "shop")
	require.NoError(t, os.MkdirAll(filepath.Join(top, "sub"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(top, "sub", "cart.go"), []byte("one\n"), 0o600))
	gittest.Run(t, top, "init", "-q", ".")
	gittest.Run(t, top, "add", ".")
	gittest.Run(t, top, "commit", "-qm", "first")
	n := worktree.Note{
		Path: filepath.Join(realTemp(t), "worktrees", "root", "cart-1"), Branch: "pawl/cart-1", Top: top, Folder: top, Session: "root",
		Base: strings.TrimSpace(gittest.Run(t, top, "rev-parse", "HEAD")),
	}
	gittest.Run(t, top, "worktree", "add", "-q", "-b", n.Branch, n.Path)
	keepNote(t, n)
	return n, git.Repository{Checkout: git.Look(top), Folder: top, Launcher: &process.Launcher{}}
}

func realTemp(t *testing.T) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return folder
}

func keepNote(t *testing.T, n worktree.Note) {
	t.Helper()
	text, err := json.Marshal(n)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(n.Path+".json", text, 0o600))
}
