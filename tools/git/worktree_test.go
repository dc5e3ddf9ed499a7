package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/tools/process"
)

// committed is a repository with one commit, as it was cloned.
func committed(t *testing.T) (Repository, StartPoint) {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	plainly(t, folder, "init", "-q", ".")
	put(t, folder, "cart.go", "one\ntwo\n")
	put(t, folder, "sub/deep.go", "deep\n")
	put(t, folder, ".gitignore", "*.o\n")
	commit(t, folder)
	r := repositoryAt(folder)
	f, err := r.StartPoint(t.Context(), false)
	require.NoError(t, err)
	return r, f
}

// Pawl's data may be below a link, or git may write its paths as relative ones.
func TestAWorktreeIsFoundHoweverItsPathIsWritten(t *testing.T) {
	r, f := committed(t)
	below, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(below, "data"), 0o700))
	require.NoError(t, os.Symlink("data", filepath.Join(below, "link")))
	path := filepath.Join(below, "link", "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	admin := r.admin(t.Context(), f.Top, path)
	require.NotEmpty(t, admin)
	relative, err := filepath.Rel(admin, filepath.Join(below, "data", "tree", ".git"))
	require.NoError(t, err)
	put(t, admin, "gitdir", relative+"\n")
	require.Equal(t, admin, r.admin(t.Context(), f.Top, path))
	require.NoError(t, r.Remove(t.Context(), f.Top, path, "pawl/tree", f.Base))
	require.NoDirExists(t, path)
	require.NoDirExists(t, admin)
	require.NotContains(t, listed(t, r), "pawl/tree")
}

func repositoryAt(folder string) Repository {
	return Repository{Checkout: Look(folder), Folder: folder, Launcher: &process.Launcher{}}
}

func commit(t *testing.T, folder string) {
	t.Helper()
	plainly(t, folder, "add", ".")
	plainly(t, folder, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "more")
}

// listed is what git knows of worktrees and branches.
func listed(t *testing.T, r Repository) string {
	t.Helper()
	trees, err := r.run(t.Context(), r.Folder, "worktree", "list", "--porcelain")
	require.NoError(t, err)
	branches, err := r.run(t.Context(), r.Folder, "branch", "--list")
	require.NoError(t, err)
	return trees + branches
}

func TestWhyThereCanBeNoWorktreeIsSaidInOneLine(t *testing.T) {
	bare, unborn, nowhere := t.TempDir(), t.TempDir(), t.TempDir()
	plainly(t, bare, "init", "-q", "--bare", ".")
	plainly(t, unborn, "init", "-q", ".")
	staged, _ := committed(t)
	put(t, staged.Folder, "new.go", "new")
	plainly(t, staged.Folder, "add", "new.go")
	for folder, want := range map[string]string{
		nowhere: "is not in one", bare: "is not in one", unborn: "has none yet: commit first", staged.Folder: "(new.go)",
		filepath.Join(unborn, ".git"): "git can work in",
	} {
		_, err := repositoryAt(folder).StartPoint(t.Context(), false)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "\n")
		require.Contains(t, err.Error(), "without isolation")
	}
	t.Setenv("PATH", t.TempDir())
	_, err := staged.StartPoint(t.Context(), false)
	require.ErrorContains(t, err, "git does not start")
}

func TestAWorktreeBeginsWithTheLastCommit(t *testing.T) {
	r, _ := committed(t)
	put(t, r.Folder, "cart.go", "changed\n")
	put(t, r.Folder, "new.go", "new\n")
	plainly(t, r.Folder, "checkout", "-q", "--detach")
	f, err := repositoryAt(filepath.Join(r.Folder, "sub")).StartPoint(t.Context(), false)
	require.NoError(t, err)
	require.Equal(t, r.Folder, f.Top)
	require.Equal(t, 2, f.Changed)
	path := filepath.Join(t.TempDir(), "s", "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	text, err := os.ReadFile(filepath.Join(path, "cart.go"))
	require.NoError(t, err)
	require.Equal(t, "one\ntwo\n", string(text))
	require.NoFileExists(t, filepath.Join(path, "new.go"))
	require.ErrorContains(t, r.Add(t.Context(), f.Top, path+"2", "pawl/tree", f.Base), "already exists")
	require.Contains(t, listed(t, r), "pawl/tree", "a branch of that name is somebody else's")
}

func TestWhatIsInAWorktreeIsCountedAndOnlyNothingIsRemoved(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(t *testing.T, top, path string)
		want Changes
	}{
		"nothing":         {func(*testing.T, string, string) {}, Changes{}},
		"an ignored file": {func(t *testing.T, _, path string) { put(t, path, "built.o", "x") }, Changes{}},
		"a new file":      {func(t *testing.T, _, path string) { put(t, path, "new/one.go", "a\nb") }, Changes{Files: 1, Added: 2, Dirty: true}},
		"new ones of any sort": {func(t *testing.T, _, path string) {
			put(t, path, "a b\tc\n.bin", "\x00\n\n")
			require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(path, "link")))
		}, Changes{Files: 2, Dirty: true}},
		"an edit and a deletion": {func(t *testing.T, _, path string) {
			put(t, path, "cart.go", "one\n2\n3\n")
			require.NoError(t, os.Remove(filepath.Join(path, "sub/deep.go")))
		}, Changes{Files: 2, Added: 2, Removed: 2, Dirty: true}},
		"something staged": {func(t *testing.T, _, path string) {
			put(t, path, "new.go", "x\n")
			plainly(t, path, "add", "new.go")
		}, Changes{Files: 1, Added: 1, Dirty: true}},
		"a commit": {func(t *testing.T, _, path string) {
			put(t, path, "cart.go", "one\n")
			commit(t, path)
		}, Changes{Files: 1, Removed: 1, Commits: 1}},
		"a commit that changes nothing in the end": {func(t *testing.T, _, path string) {
			put(t, path, "cart.go", "one\n")
			commit(t, path)
			put(t, path, "cart.go", "one\ntwo\n")
			commit(t, path)
		}, Changes{Commits: 2}},
		"a commit on no branch": {func(t *testing.T, _, path string) {
			plainly(t, path, "checkout", "-q", "--detach")
			put(t, path, "cart.go", "one\n")
			commit(t, path)
		}, Changes{Files: 1, Removed: 1, Commits: 1}},
		"a commit that was merged": {func(t *testing.T, top, path string) {
			put(t, path, "cart.go", "one\n")
			commit(t, path)
			plainly(t, top, "merge", "-q", "pawl/tree")
		}, Changes{Files: 1, Removed: 1, Commits: 1, Merged: true}},
	} {
		t.Run(name, func(t *testing.T) {
			r, f := committed(t)
			path := filepath.Join(t.TempDir(), "tree")
			require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
			c.do(t, f.Top, path)
			got, err := r.Changes(t.Context(), f.Top, path, "pawl/tree", f.Base)
			require.NoError(t, err)
			tip := got.Tip
			require.Equal(t, got.Dirty, len(got.Names) > 0, "what is not committed has names")
			got.Tip, got.Names = "", nil
			require.Equal(t, c.want, got)
			switch err := r.Remove(t.Context(), f.Top, path, "pawl/tree", tip); {
			case c.want.Dirty:
				require.ErrorIs(t, err, ErrHolds)
				require.DirExists(t, path)
			case c.want.None():
				require.NoError(t, err)
				require.NoDirExists(t, path)
				require.NotContains(t, listed(t, r), "tree\n")
				require.NotContains(t, listed(t, r), "pawl/tree")
			}
		})
	}
}

func TestWhatCameAfterTheLookKeepsAWorktreeAndItsBranch(t *testing.T) {
	r, f := committed(t)
	path := filepath.Join(t.TempDir(), "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	c, err := r.Changes(t.Context(), f.Top, path, "pawl/tree", f.Base)
	require.NoError(t, err)
	require.True(t, c.None())
	put(t, path, "late.go", "x")
	require.ErrorIs(t, r.Remove(t.Context(), f.Top, path, "pawl/tree", c.Tip), ErrHolds)
	commit(t, path)
	require.NoError(t, r.Remove(t.Context(), f.Top, path, "pawl/tree", c.Tip))
	require.Contains(t, listed(t, r), "pawl/tree", "its branch holds the commit")
}

// Git deletes the files of a worktree one by one: ended in the middle, it would leave half
// of them, which looks like work.
func TestARemovalThatIsCutOffLeavesAllOfAWorktreeOrNothing(t *testing.T) {
	made := func(t *testing.T) (r Repository, f StartPoint, path, before string) {
		r, f = committed(t)
		before, path = listed(t, r), filepath.Join(t.TempDir(), "tree")
		require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
		return r, f, path, before
	}
	whole := func(t *testing.T, r Repository, f StartPoint, path string) {
		t.Helper()
		c, err := r.Changes(t.Context(), f.Top, path, "pawl/tree", f.Base)
		require.NoError(t, err)
		require.True(t, c.None(), "%+v", c)
		require.NoDirExists(t, Gone(path))
	}
	t.Run("nobody could look", func(t *testing.T) {
		r, f, path, _ := made(t)
		index := filepath.Join(r.admin(t.Context(), f.Top, path), "index")
		kept, err := os.ReadFile(index)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(index, []byte("damaged"), 0o600))
		require.ErrorContains(t, r.Remove(t.Context(), f.Top, path, "pawl/tree", f.Base), "index")
		require.NoError(t, os.WriteFile(index, kept, 0o600))
		whole(t, r, f, path)
	})
	t.Run("stopped", func(t *testing.T) {
		r, f, path, _ := made(t)
		ctx, stop := context.WithCancelCause(t.Context())
		stop(errors.New("stopped by a key"))
		require.ErrorContains(t, r.Remove(ctx, f.Top, path, "pawl/tree", f.Base), "stopped by a key")
		whole(t, r, f, path)
	})
	t.Run("killed before git forgot it", func(t *testing.T) {
		r, f, path, _ := made(t)
		require.NoError(t, os.Rename(path, Gone(path)))
		require.NoError(t, r.Restore(t.Context(), f.Top, path))
		whole(t, r, f, path)
	})
	t.Run("killed after it", func(t *testing.T) {
		r, f, path, before := made(t)
		require.NoError(t, r.Remove(t.Context(), f.Top, path, "pawl/tree", f.Base))
		require.FileExists(t, filepath.Join(Gone(path), "cart.go"))
		require.NoError(t, r.Restore(t.Context(), f.Top, path))
		require.NoDirExists(t, path)
		require.Equal(t, before, listed(t, r))
	})
	t.Run("locked by a person", func(t *testing.T) {
		r, f, path, _ := made(t)
		plainly(t, f.Top, "worktree", "lock", path)
		require.ErrorIs(t, r.Remove(t.Context(), f.Top, path, "pawl/tree", f.Base), ErrHolds)
		whole(t, r, f, path)
	})
}

func TestWhatHasBegunIsFinishedHoweverLongItTakesButNotLongBehindAStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		finishing, end := finishing(ctx)
		defer end()
		<-time.After(time.Hour) // in virtual time
		require.NoError(t, finishing.Err())
		stop()
		stopped := time.Now()
		<-finishing.Done()
		require.Equal(t, clearLimit, time.Since(stopped))
	})
}

func TestWhatGitSaysAtLengthIsSaidInOneLine(t *testing.T) {
	for says, want := range map[string]string{
		"fatal: not a git repository\n": "not a git repository",
		"error: unable to write file a\nerror: unable to write file b\n[… 9 bytes are left out …]\nfatal: Could not reset index file\n": "unable to write file a … Could not reset index file",
		"fatal: 'x' contains modified or untracked files,\n  use --force to delete it\n":                                                "'x' contains modified or untracked files, use --force to delete it",
	} {
		require.Equal(t, want, brief(says))
	}
}

func TestAMakingThatIsStoppedLeavesNothing(t *testing.T) {
	r, f := committed(t)
	before := listed(t, r)
	for _, name := range []string{"at once", "half made"} {
		ctx, stop := context.WithCancelCause(t.Context())
		path := filepath.Join(t.TempDir(), "tree")
		if name == "half made" { // as a killed git leaves it: known, on a branch, without files, locked
			require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
			require.NoError(t, os.WriteFile(filepath.Join(r.admin(t.Context(), f.Top, path), "locked"), []byte("initializing"), 0o600))
			require.NoError(t, r.Clear(t.Context(), f.Top, path, "pawl/tree", f.Base))
		} else {
			stop(errors.New("stopped by a key"))
			require.ErrorContains(t, r.Add(ctx, f.Top, path, "pawl/tree", f.Base), "stopped by a key")
		}
		stop(nil)
		require.NoDirExists(t, path)
		require.Equal(t, before, listed(t, r), name)
	}
}

func TestAWorktreeOfASubmoduleIsTheSubmodules(t *testing.T) {
	inner, _ := committed(t)
	outer, _ := committed(t)
	plainly(t, outer.Folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.Folder, "in")
	commit(t, outer.Folder)
	r := repositoryAt(filepath.Join(outer.Folder, "in"))
	f, err := r.StartPoint(t.Context(), false)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(outer.Folder, "in"), f.Top)
	path := filepath.Join(t.TempDir(), "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	require.FileExists(t, filepath.Join(path, "sub", "deep.go"))
	c, err := r.Changes(t.Context(), f.Top, path, "pawl/tree", f.Base)
	require.NoError(t, err)
	require.NoError(t, r.Remove(t.Context(), f.Top, path, "pawl/tree", c.Tip))

	around := filepath.Join(t.TempDir(), "around")
	f, err = repositoryAt(outer.Folder).StartPoint(t.Context(), false)
	require.NoError(t, err)
	require.NoError(t, outer.Add(t.Context(), f.Top, around, "pawl/around", f.Base))
	c, err = outer.Changes(t.Context(), f.Top, around, "pawl/around", f.Base)
	require.NoError(t, err)
	require.True(t, c.None())
	put(t, around, "in/unseen.go", "x") // git status of submodules is not asked
	c, err = outer.Changes(t.Context(), f.Top, around, "pawl/around", f.Base)
	require.NoError(t, err)
	require.False(t, c.None())
}

func TestAMaliciousCheckoutLeavesNoMarkInItsWorktrees(t *testing.T) {
	folder, mark := hostile(t)
	require.NoError(t, os.RemoveAll(mark))
	r := repositoryAt(folder)
	f, err := r.StartPoint(t.Context(), false)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	put(t, path, "kept.txt", "changed\n")
	_, err = r.Changes(t.Context(), f.Top, path, "pawl/tree", f.Base)
	require.NoError(t, err)
	require.ErrorIs(t, r.Remove(t.Context(), f.Top, path, "pawl/tree", f.Base), ErrHolds)
	_, err = r.Commit(t.Context(), path, "Keep it")
	require.NoError(t, err)
	require.NoError(t, r.Discard(t.Context(), f.Top, path, "pawl/tree"))
	require.NoFileExists(t, mark)
	require.NotContains(t, listed(t, r), "pawl/tree")
}

func TestWhatNobodyKnowsIsNotRemoved(t *testing.T) {
	r, f := committed(t)
	path := filepath.Join(t.TempDir(), "tree")
	require.NoError(t, r.Add(t.Context(), f.Top, path, "pawl/tree", f.Base))
	plainly(t, path, "update-index", "--assume-unchanged", "cart.go")
	put(t, path, "cart.go", "changed\n")
	_, err := r.Changes(t.Context(), f.Top, path, "pawl/tree", f.Base)
	require.ErrorContains(t, err, "treat cart.go as unchanged")
	require.NotContains(t, err.Error(), "\n")

	plainly(t, f.Top, "branch", "moved", f.Base)
	require.NoError(t, r.dropBranch(t.Context(), f.Top, "moved", ""))
	require.Contains(t, listed(t, r), "moved", "without a base git would delete it wherever it stands")
}

func TestAMakingThatIsStoppedTakesNothingThatWasThere(t *testing.T) {
	r, f := committed(t)
	path := t.TempDir()
	put(t, path, "work.go", "x")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorContains(t, r.Add(ctx, f.Top, path, "pawl/tree", f.Base), "already")
	require.FileExists(t, filepath.Join(path, "work.go"))
}
