package git

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is committed in a worktree outlasts it: changed, new, deleted and staged files, names of any kind.
func TestWhatIsCommittedOutlastsTheWorktree(t *testing.T) {
	r, f := committed(t)
	path := filepath.Join(t.TempDir(), "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	put(t, path, "cart.go", "changed\n")
	put(t, path, "new one.go", "new\n")
	put(t, path, "-x/ü\n.go", "odd\n")
	put(t, path, "staged.go", "staged\n")
	plainly(t, path, "add", "staged.go")
	plainly(t, path, "rm", "-q", "sub/deep.go")
	c, err := r.Changes(t.Context(), f.Top, path, "pawl/tree", f.Base)
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"cart.go", "new one.go", "-x/ü\n.go", "staged.go", "sub/deep.go"}, c.Names)
	branch, err := r.Commit(t.Context(), path, "Keep it\n# all")
	require.NoError(t, err, "without a name of its own in git's settings")
	require.Equal(t, "pawl/tree", branch)
	c, err = r.Changes(t.Context(), f.Top, path, "pawl/tree", f.Base)
	require.NoError(t, err)
	require.False(t, c.Dirty)
	require.NoError(t, r.Remove(t.Context(), f.Top, path, "pawl/tree", ""))
	text, err := r.run(t.Context(), f.Top, "show", "--stat=200", "--format=%B", "pawl/tree")
	require.NoError(t, err)
	for _, want := range []string{"Keep it\n# all", "cart.go", "new one.go", "staged.go", "sub/deep.go", "5 files changed"} {
		require.Contains(t, text, want)
	}
}

// A repository within one is no part of a commit: it is left, and the worktree holds it still.
func TestARepositoryWithinAWorktreeIsNotTakenForCommitted(t *testing.T) {
	r, f := committed(t)
	path := filepath.Join(t.TempDir(), "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	plainly(t, path, "init", "-q", "within")
	put(t, path, "within/work.go", "work\n")
	commit(t, filepath.Join(path, "within"))
	_, err := r.Commit(t.Context(), path, "Keep it")
	require.NoError(t, err)
	c, err := r.Changes(t.Context(), f.Top, path, "pawl/tree", f.Base)
	require.NoError(t, err)
	require.True(t, c.Dirty)
	require.Equal(t, []string{"within"}, c.Names)
}

func TestAWorktreeWithoutABranchIsNotCommittedTo(t *testing.T) {
	r, f := committed(t)
	path := filepath.Join(t.TempDir(), "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	plainly(t, path, "checkout", "-q", "--detach")
	put(t, path, "new.go", "new\n")
	_, err := r.Commit(t.Context(), path, "Keep it")
	require.ErrorContains(t, err, "switch -c NAME")
}
