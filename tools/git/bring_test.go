package git

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
)

// dirtied is a worktree that was given what is not committed in the checkout.
func dirtied(t *testing.T) (r Repository, f StartPoint, path, start string) {
	t.Helper()
	r, _ = committed(t)
	put(t, r.Folder, "cart.go", "staged\n")
	put(t, r.Folder, "new.go", "new\n")
	plainly(t, r.Folder, "add", "cart.go")
	put(t, r.Folder, "cart.go", "changed again\n")
	put(t, r.Folder, "built.o", "ignored")
	require.NoError(t, os.Remove(filepath.Join(r.Folder, "sub/deep.go")))
	f, err := r.StartPoint(t.Context(), true)
	require.NoError(t, err)
	before := gittest.Run(t, r.Folder, "status", "--porcelain")
	start, err = r.Uncommitted(t.Context(), f.Top, t.TempDir())
	require.NoError(t, err)
	require.Equal(t, before, gittest.Run(t, r.Folder, "status", "--porcelain"), "what was staged is staged, and nothing else")
	path = filepath.Join(t.TempDir(), "s", "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	require.NoError(t, r.Bring(t.Context(), path, "pawl/tree", start))
	return r, f, path, start
}

func TestWhatIsNotCommittedIsBroughtToAWorktree(t *testing.T) {
	r, f, path, start := dirtied(t)
	require.Equal(t, " M cart.go\n D sub/deep.go\n?? new.go\n", gittest.Run(t, path, "status", "--porcelain"))
	text, err := os.ReadFile(filepath.Join(path, "cart.go"))
	require.NoError(t, err)
	require.Equal(t, "changed again\n", string(text))
	require.NoFileExists(t, filepath.Join(path, "built.o"))
	plainly(t, r.Folder, "gc", "-q", "--prune=now")
	require.Equal(t, "commit\n", gittest.Run(t, r.Folder, "cat-file", "-t", start), "git keeps it as long as the worktree")
	changes, err := r.ChangesSince(t.Context(), f.Top, path, "pawl/tree", f.Base, start)
	require.NoError(t, err)
	require.True(t, changes.None(), "the subagent changed nothing of it")
	require.ErrorIs(t, r.Remove(t.Context(), f.Top, path, "pawl/tree", changes.Tip), ErrHolds)
	require.NoError(t, r.RemoveHolding(t.Context(), f.Top, path, "pawl/tree", changes.Tip, changes.Holds))
	require.NoDirExists(t, path)
	require.NotContains(t, listed(t, r), "pawl/tree")
	require.NotContains(t, gittest.Run(t, r.Folder, "for-each-ref"), "pawl")
}

func TestWhatIsChangedBeyondWhatWasBroughtIsCounted(t *testing.T) {
	r, f, path, start := dirtied(t)
	put(t, path, "cart.go", "by the subagent\nhere\n")
	put(t, path, "more.go", "more\n")
	changes, err := r.ChangesSince(t.Context(), f.Top, path, "pawl/tree", f.Base, start)
	require.NoError(t, err)
	require.Equal(t, []any{2, 3, 1, []string{"cart.go", "more.go"}, true}, []any{changes.Files, changes.Added, changes.Removed, changes.Names, changes.Dirty})
	require.ErrorIs(t, r.RemoveHolding(t.Context(), f.Top, path, "pawl/tree", changes.Tip, start), ErrHolds)
	require.FileExists(t, filepath.Join(path, "more.go"))
}

func TestACheckoutInTheMiddleOfAMergeIsNotBrought(t *testing.T) {
	r, f := committed(t)
	plainly(t, r.Folder, "switch", "-qc", "other")
	put(t, r.Folder, "cart.go", "other\n")
	commit(t, r.Folder)
	plainly(t, r.Folder, "switch", "-q", "-")
	put(t, r.Folder, "cart.go", "mine\n")
	commit(t, r.Folder)
	_, err := r.run(t.Context(), r.Folder, "merge", "other")
	require.Error(t, err)
	_, err = r.Uncommitted(t.Context(), f.Top, t.TempDir())
	require.ErrorContains(t, err, "cart.go is in the middle of a merge")
}

func TestNothingUncommittedIsBroughtAsNothing(t *testing.T) {
	r, f := committed(t)
	start, err := r.Uncommitted(t.Context(), f.Top, t.TempDir())
	require.NoError(t, err)
	require.Empty(t, start)
}

func TestOnlyIgnoredFilesAreIncluded(t *testing.T) {
	r, f := committed(t)
	names, err := r.Included(t.Context(), f.Top, t.TempDir())
	require.NoError(t, err)
	require.Empty(t, names, "there is no such file")
	put(t, r.Folder, ".worktreeinclude", "*.o\n!big.o\n*.txt\n")
	for _, name := range []string{"a.o", "sub/b c\n.o", "big.o", "not-ignored.txt"} {
		put(t, r.Folder, name, "x")
	}
	names, err = r.Included(t.Context(), f.Top, t.TempDir())
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"a.o", "sub/b c\n.o"}, names)
}
