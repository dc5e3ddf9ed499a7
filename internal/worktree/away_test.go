package worktree

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func TestAWorktreeWhoseAgentWorksElsewhereIsNeitherLandedNorSwept(t *testing.T) {
	n, repository := treeOf(t)
	n.Ready, n.Folder = true, n.Top
	require.NoError(t, n.Save())
	trees, wait := treesOf(n, repository)
	run := lifecycle.Run{ID: "run", Spec: lifecycle.Spec{Folder: filepath.Join(n.Path, "sub"), Branch: n.Branch, Root: n.Session}}
	away, err := trees.Depart(t.Context(), run)
	require.NoError(t, err)
	require.True(t, away.Found)
	require.Equal(t, []string{n.Path, "sub"}, []string{away.Path, away.Within})
	_, err = trees.SetAside(t.Context(), repository, n, Leaving{})
	require.ErrorContains(t, err, "is worked in again")
	trees.sweep(t.Context())
	require.DirExists(t, n.Path, "although nothing is changed in it")

	written(t, filepath.Join(n.Path, "mine.go"), "mine\n")
	left, err := trees.Stay(t.Context(), run)
	require.NoError(t, err)
	require.Equal(t, []any{true, 1}, []any{left.Kept, left.Files})
	require.NotContains(t, trees.working, n.Path)
	wait()
}

func TestARunThatNeverHadAWorktreeAtHomeLeavesNone(t *testing.T) {
	n, repository := treeOf(t)
	trees, wait := treesOf(n, repository)
	run := lifecycle.Run{ID: "run", Spec: lifecycle.Spec{Folder: filepath.Join(trees.folder(), "new-1"), Branch: "pawl/new-1", Root: n.Session}}
	away, err := trees.Depart(t.Context(), run)
	require.NoError(t, err)
	require.False(t, away.Found)
	left, err := trees.Stay(t.Context(), run)
	require.NoError(t, err)
	require.Nil(t, left)
	require.NotContains(t, trees.working, away.Path)

	run.Folder = "/elsewhere"
	_, err = trees.Depart(t.Context(), run)
	require.ErrorContains(t, err, "not a worktree of this session")
	require.Empty(t, trees.PathOf(run))
	wait()
}

func TestABranchOfThatNameStays(t *testing.T) {
	n, repository := treeOf(t)
	trees, wait := treesOf(n, repository)
	gitIn(t, n.Top, "commit", "-q", "--allow-empty", "-m", "second")
	second := strings.TrimSpace(gitIn(t, n.Top, "rev-parse", "HEAD"))
	gitIn(t, n.Top, "branch", "pawl/new-1", n.Base)
	run := lifecycle.Run{ID: "run", Spec: lifecycle.Spec{Folder: filepath.Join(trees.folder(), "new-1"), Branch: "pawl/new-1", Root: n.Session}}
	arrival := Arrival{Top: n.Top, Base: n.Base, FromHead: n.Base, FromFiles: n.Base, Head: second, Files: second}
	_, err := trees.Arrive(t.Context(), run, arrival)
	require.ErrorContains(t, err, "already exists")
	require.NoDirExists(t, run.Folder)
	require.Equal(t, n.Base, strings.TrimSpace(gitIn(t, n.Top, "rev-parse", "pawl/new-1")))
	_, found, err := ReadNote(run.Folder)
	require.NoError(t, err)
	require.False(t, found)
	wait()
}
