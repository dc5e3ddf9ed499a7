package git

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
)

func TestAStateNamesAllThatIsNotCommitted(t *testing.T) {
	r, f := committed(t)
	state, err := r.State(t.Context(), f.Top)
	require.NoError(t, err)
	require.Equal(t, f.Base, state.Head)
	require.NotEmpty(t, state.Branch)
	require.Empty(t, state.Changed)
	put(t, r.Folder, "cart.go", "staged\n")
	plainly(t, r.Folder, "add", "cart.go")
	put(t, r.Folder, "cart.go", "changed again\n")
	put(t, r.Folder, "new name with\nlines \"and\" quotes", "new\n")
	put(t, r.Folder, "ünï/code", "new\n")
	put(t, r.Folder, "built.o", "ignored")
	plainly(t, r.Folder, "mv", "sub/deep.go", "sub/moved.go")
	plainly(t, r.Folder, "checkout", "-q", "--detach")
	now, err := r.State(t.Context(), f.Top)
	require.NoError(t, err)
	require.Equal(t, []string{"cart.go", "new name with\nlines \"and\" quotes", "sub/deep.go", "sub/moved.go", "ünï/code"}, sortedCopy(now.Changed))
	require.Empty(t, now.Branch)
	require.NotEqual(t, state.Lines, now.Lines)
}

func TestWhatIsTheSameIsGatheredAsTheSameCommit(t *testing.T) {
	var found []string
	for range 2 {
		r, f := committed(t)
		plainly(t, r.Folder, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "--amend", "-m", "first", "--date=@1 +0000", "--no-edit")
		put(t, r.Folder, "new.go", "new\n")
		state, err := r.State(t.Context(), f.Top)
		require.NoError(t, err)
		commit, err := r.Gather(t.Context(), f.Top, state.Head, Listed{}, t.TempDir())
		require.NoError(t, err)
		again, err := r.Gather(t.Context(), f.Top, state.Head, Listed{}, t.TempDir())
		require.NoError(t, err)
		require.Equal(t, commit, again)
		found = append(found, gittest.Run(t, r.Folder, "rev-parse", commit+"^{tree}"))
		require.NoError(t, os.Remove(filepath.Join(r.Folder, "new.go")))
		none, err := r.Gather(t.Context(), f.Top, state.Head, Listed{}, t.TempDir())
		require.NoError(t, err)
		require.Empty(t, none, "it is what is committed")
	}
	require.Equal(t, found[0], found[1])
}

func TestBranchesAreReadWithoutGitHoweverTheyAreWritten(t *testing.T) {
	folder, tree := filepath.Join(t.TempDir(), "git"), t.TempDir()
	r, f := committed(t)
	require.NoError(t, InitApart(folder, false, filepath.Join(r.Folder, ".git", "objects")))
	admin, err := LinkApart(folder, tree, "pawl/x", map[string]string{"pawl/x": f.Base, "main": f.Base})
	require.NoError(t, err)
	head, branches := RefsApart(folder, admin)
	require.Equal(t, f.Base, head)
	require.Equal(t, map[string]string{"pawl/x": f.Base, "main": f.Base}, branches)
	plainly(t, tree, "reset", "-q", "--hard")
	require.FileExists(t, filepath.Join(tree, "cart.go"))
	plainly(t, tree, "pack-refs", "--all")
	put(t, tree, "cart.go", "changed\n")
	commit(t, tree)
	head, branches = RefsApart(folder, admin)
	require.NotEqual(t, f.Base, head)
	require.Equal(t, map[string]string{"pawl/x": head, "main": f.Base}, branches)
	put(t, folder, "refs/heads/nonsense", "../../etc/passwd")
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(folder, "refs/heads/link")))
	put(t, admin, "HEAD", "nonsense")
	head, branches = RefsApart(folder, admin)
	require.Empty(t, head)
	require.Len(t, branches, 2)
	none, branches := RefsApart(t.TempDir(), t.TempDir())
	require.Empty(t, none)
	require.Empty(t, branches)
}

func TestAPackThatBuildsOnWhatIsNotThereIsNotTaken(t *testing.T) {
	r, f := committed(t)
	other, _ := committed(t)
	put(t, r.Folder, "cart.go", "another\n")
	commit(t, r.Folder)
	state, err := r.State(t.Context(), f.Top)
	require.NoError(t, err)
	pack, err := os.CreateTemp(t.TempDir(), "pack")
	require.NoError(t, err)
	defer pack.Close()
	require.NoError(t, r.Pack(t.Context(), pack, []string{state.Head}, []string{f.Base}))
	_, err = pack.Seek(0, 0)
	require.NoError(t, err)
	lacking := "1111111111111111111111111111111111111111"
	require.ErrorIs(t, other.Take(t.Context(), pack, []string{lacking}), ErrLacks)
	require.NoError(t, other.Take(t.Context(), pack, nil), "nothing was read of it")
	require.ErrorContains(t, other.Whole(t.Context(), []string{state.Head, lacking}, nil), "it leads to what is not there")
}

func sortedCopy(names []string) []string { return slices.Sorted(slices.Values(names)) }
