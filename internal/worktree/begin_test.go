package worktree

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/tools/git"
)

// begun is a new worktree of a checkout, as a run gets it.
func begun(t *testing.T, dirty bool, change func(top string)) (trees *Trees, note Note, repository git.Repository, wait func()) {
	t.Helper()
	n, repository := treeOf(t)
	change(n.Top)
	trees, wait = treesOf(n, repository)
	trees.Dirty = dirty
	run := lifecycle.Run{Spec: lifecycle.Spec{Folder: filepath.Join(trees.folder(), "new-1"), Branch: "pawl/new-1", Root: n.Session}}
	note, repository, err := trees.begin(t.Context(), run)
	require.NoError(t, err)
	return trees, note, repository, wait
}

func written(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func TestAWorktreeWithWhatIsNotCommittedIsKeptOnlyForWhatTheSubagentChanges(t *testing.T) {
	stage := func(top string) {
		written(t, filepath.Join(top, "staged.go"), "staged\n")
		gitIn(t, top, "add", "staged.go")
		written(t, filepath.Join(top, "sub/cart.go"), "two\n")
	}
	trees, note, repository, wait := begun(t, true, stage)
	require.FileExists(t, filepath.Join(note.Path, "staged.go"))
	require.NotEmpty(t, note.Start)
	require.Zero(t, note.Behind)
	left := trees.end(t.Context(), note, repository, false)
	require.Equal(t, []any{false, ""}, []any{left.Kept, left.Why}, "it changed nothing")
	wait()

	trees, note, repository, _ = begun(t, true, stage)
	written(t, filepath.Join(note.Path, "sub/cart.go"), "three\n")
	left = trees.end(t.Context(), note, repository, false)
	require.Equal(t, []any{true, 1, 1, 1}, []any{left.Kept, left.Files, left.Added, left.Removed})
	again, found, err := ReadNote(note.Path)
	require.NoError(t, err)
	require.True(t, found && again.Beginning() == note.Start)
}

func TestAWorktreeOfTheLastCommitIsRefusedWhileSomethingIsStaged(t *testing.T) {
	n, repository := treeOf(t)
	written(t, filepath.Join(n.Top, "staged.go"), "staged\n")
	gitIn(t, n.Top, "add", "staged.go")
	trees, _ := treesOf(n, repository)
	_, _, err := trees.Plan(t.Context(), "a cart")
	require.ErrorContains(t, err, "git's index holds changes that are not committed (staged.go)")
	trees.Dirty = true
	_, _, err = trees.Plan(t.Context(), "a cart")
	require.NoError(t, err)
}

func TestIgnoredFilesThatAreListedAreBroughtAlong(t *testing.T) {
	_, note, _, _ := begun(t, false, func(top string) {
		written(t, filepath.Join(top, ".git/info/exclude"), "node_modules\n.env\nbuild\n")
		written(t, filepath.Join(top, ".worktreeinclude"), ".env\nnode_modules\n")
		written(t, filepath.Join(top, ".env"), "TOKEN=x\n")
		written(t, filepath.Join(top, "build/out"), "left behind\n")
		written(t, filepath.Join(top, "node_modules/.bin/tool"), "#!/bin/sh\n")
		require.NoError(t, os.Chmod(filepath.Join(top, "node_modules/.bin/tool"), 0o750)) //nolint:gosec // a program
		require.NoError(t, os.Symlink(".bin/tool", filepath.Join(top, "node_modules/link")))
	})
	info, err := os.Stat(filepath.Join(note.Path, "node_modules/link"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o750), info.Mode().Perm())
	require.FileExists(t, filepath.Join(note.Path, ".env"))
	require.NoDirExists(t, filepath.Join(note.Path, "build"))
	require.Equal(t, 3, note.Included.Files)
	require.Equal(t, "3 ignored files that .worktreeinclude names are here", note.Included.Says())
	require.Equal(t, "1 ignored file that .worktreeinclude names is here, and 2 not: they are more than 2.0 GB or 100000 files", Included{Files: 1, Left: 2}.Says())
}

func TestWhatIsNewInTheCheckoutIsNoIgnoredFile(t *testing.T) {
	_, note, _, _ := begun(t, false, func(top string) {
		written(t, filepath.Join(top, ".worktreeinclude"), "*.go\n")
		written(t, filepath.Join(top, "new.go"), "new\n")
	})
	require.NoFileExists(t, filepath.Join(note.Path, "new.go"))
	require.Zero(t, note.Included)
}

func TestASubagentOfAForkHasNoPartInTheWorktreeThatStayed(t *testing.T) {
	n, repository := treeOf(t)
	n.Ready = true
	require.NoError(t, n.Save())
	n.Session = "fork"
	trees, _ := treesOf(n, repository)
	_, _, err := trees.begin(t.Context(), lifecycle.Run{Spec: lifecycle.Spec{Folder: filepath.Join(trees.folder(), "cart-1", "sub"), Branch: n.Branch, Root: "fork"}})
	require.EqualError(t, err, "the worktree of this subagent stayed with session root, which this one was forked from: resume it there, or start a new subagent")
	require.NoDirExists(t, trees.folder())
}

func TestWhatCouldNotBeClearedAwayOfAWorktreeKeepsItsNoteForTheSweep(t *testing.T) {
	n, repository := treeOf(t)
	trees, wait := treesOf(n, repository)
	run := lifecycle.Run{Spec: lifecycle.Spec{Folder: filepath.Join(trees.folder(), "new-1"), Branch: "pawl/new-1", Root: n.Session}}
	branch, start := filepath.Join(n.Top, ".git/refs/heads/pawl/new-1.lock"), filepath.Join(n.Top, ".git/refs/pawl/start/pawl/new-1.lock")
	written(t, branch, "") // as another git has them, or too slow a disk
	written(t, start, "")
	_, _, err := trees.begin(t.Context(), run)
	require.ErrorIs(t, err, git.ErrLeft)
	left, found, err := ReadNote(run.Folder)
	require.NoError(t, err)
	require.True(t, found)
	require.False(t, left.Ready)
	require.NoError(t, os.Remove(branch))
	require.NoError(t, os.Remove(start))
	trees.sweep(t.Context())
	wait()
	_, found, err = ReadNote(run.Folder)
	require.NoError(t, err)
	require.False(t, found)
	require.NotContains(t, gitIn(t, n.Top, "branch", "--list", "--all"), "new-1")
}
