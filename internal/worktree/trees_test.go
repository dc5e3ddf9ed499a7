package worktree

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/tools/git"
	"pawl/tools/process"
)

func TestAWorktreeIsCalledByItsDescription(t *testing.T) {
	for description, want := range map[string]string{
		"Fix the cart!": "fix-the-cart-", "": "agent-", "Größe ändern": "gr-e-ndern-", "../../etc": "etc-", "审计": "agent-",
		strings.Repeat("x", 100):                 strings.Repeat("x", longestName) + "-",
		"audit every refund in the whole system": "audit-every-refund-in-the-",
	} {
		name := treeName(description)
		require.Equal(t, want, name[:len(name)-6], description)
		require.NotEqual(t, name, treeName(description))
	}
}

func TestTheNotesOfWorktreesAreReadWhateverStandsBesideThem(t *testing.T) {
	dir := t.TempDir()
	second := Note{Path: filepath.Join(dir, "s", "two"), Made: time.Unix(2, 0)}
	first := Note{Path: filepath.Join(dir, "s", "one"), Branch: "pawl/one", Made: time.Unix(1, 0), Ready: true, Behind: 3}
	require.NoError(t, second.Save())
	require.NoError(t, first.Save())
	require.NoError(t, os.WriteFile(NoteOf(filepath.Join(dir, "s", "torn")), []byte(`{"path":`), 0o600))
	moved := NoteOf(filepath.Join(dir, "s", "moved"))
	require.NoError(t, os.WriteFile(moved, []byte(`{"path":"/home/somebody"}`), 0o600))
	notes, err := ReadNotes(dir)
	require.ErrorContains(t, err, "torn.json")
	require.ErrorContains(t, err, "moved.json: it names another folder")
	require.Len(t, notes, 2)
	require.Equal(t, first.Path, notes[0].Path)
	require.Equal(t, 3, notes[0].Behind)
	require.NoError(t, first.Drop())
	require.NoError(t, first.Drop(), "twice is as good")
	require.DirExists(t, filepath.Dir(second.Path), "another is in it")
}

func TestOnlyAFolderOfTheSessionsWorktreesIsOne(t *testing.T) {
	trees := New(Options{Session: "root", Below: "/data/worktrees"})
	path, err := trees.pathOf("/data/worktrees/root/cart-1/deep/er")
	require.NoError(t, err)
	require.Equal(t, "/data/worktrees/root/cart-1", path)
	for _, other := range []string{"/data/worktrees/root", "/data/worktrees/other/cart-1", "/src", ""} {
		_, err := trees.pathOf(other)
		require.ErrorContains(t, err, "not a worktree of this session", other)
	}
}

func TestWhoeverIsStoppedWhileAnotherWorktreeIsMadeWaitsNoLonger(t *testing.T) {
	trees := New(Options{})
	done, err := trees.takeTurn(t.Context())
	require.NoError(t, err)
	ctx, stop := context.WithCancelCause(t.Context())
	stop(&lifecycle.Stopped{Cause: lifecycle.CauseKey})
	_, err = trees.takeTurn(ctx)
	require.Error(t, err)
	done()
	again, err := trees.takeTurn(t.Context())
	require.NoError(t, err)
	again()
}

func gitIn(t testing.TB, folder string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@x"}, args...)...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %q: %s", args, out)
	return string(out)
}

// treeOf is a note of a worktree that git has made, and that says it is half made.
func treeOf(t *testing.T) (Note, git.Repository) {
	t.Helper()
	top := filepath.Join(realFolder(t), "shop")
	require.NoError(t, os.MkdirAll(filepath.Join(top, "sub"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(top, "sub", "cart.go"), []byte("one\n"), 0o600))
	gitIn(t, top, "init", "-q", ".")
	gitIn(t, top, "add", ".")
	gitIn(t, top, "commit", "-qm", "first")
	n := Note{
		Path: filepath.Join(realFolder(t), "worktrees", "root", "cart-1"), Branch: "pawl/cart-1", Top: top, Folder: top, Session: "root",
		Base: strings.TrimSpace(gitIn(t, top, "rev-parse", "HEAD")),
	}
	gitIn(t, top, "worktree", "add", "-q", "-b", n.Branch, n.Path)
	require.NoError(t, n.Save())
	return n, git.Repository{Checkout: git.Look(top), Folder: top, Launcher: &process.Launcher{}}
}

// treesOf are the worktrees of the session that a note names. wait waits for what they
// have begun.
func treesOf(n Note, r git.Repository) (trees *Trees, wait func()) {
	var begun sync.WaitGroup
	return New(Options{
		Session: n.Session, Folder: n.Folder, Below: filepath.Dir(filepath.Dir(n.Path)), Go: begun.Go,
		Repository: func(lifecycle.RunID) (git.Repository, error) { return r, nil },
	}), begun.Wait
}

func realFolder(t *testing.T) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return folder
}

func TestAWorktreeOfAnEarlierRunOutlastsTheFolderOfTheNext(t *testing.T) {
	n, repository := treeOf(t)
	n.Ready = true
	require.NoError(t, n.Save())
	gitIn(t, n.Path, "mv", "sub", "other")
	gitIn(t, n.Path, "commit", "-qm", "moved")
	trees, _ := treesOf(n, repository)
	_, _, err := trees.begin(t.Context(), lifecycle.Run{Spec: lifecycle.Spec{Folder: filepath.Join(n.Path, "sub")}})
	require.ErrorContains(t, err, "no longer in the agent's worktree")
	require.DirExists(t, filepath.Join(n.Path, "other"))
	_, found, err := ReadNote(n.Path)
	require.NoError(t, err)
	require.True(t, found, "pawl worktrees lists it")
}

// Whatever ends Pawl while it removes a worktree, the next start removes the rest.
func TestTheNextStartEndsARemovalThatWasCutOff(t *testing.T) {
	for name, cutOff := range map[string]func(t *testing.T, n Note, r git.Repository){
		"renamed": func(t *testing.T, n Note, _ git.Repository) {
			require.NoError(t, os.Rename(n.Path, git.Gone(n.Path)))
		},
		"forgotten": func(t *testing.T, n Note, r git.Repository) {
			require.NoError(t, r.Remove(t.Context(), n.Top, n.Path, n.Branch, n.Base))
		},
		"half deleted": func(t *testing.T, n Note, r git.Repository) {
			require.NoError(t, r.Remove(t.Context(), n.Top, n.Path, n.Branch, n.Base))
			require.NoError(t, n.Drop())
			require.NoError(t, os.Remove(filepath.Join(git.Gone(n.Path), ".git")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			n, repository := treeOf(t)
			n.Ready = true
			require.NoError(t, n.Save())
			cutOff(t, n, repository)
			trees, _ := treesOf(n, repository)
			trees.sweep(t.Context())
			require.NoDirExists(t, filepath.Dir(n.Path))
			require.NotContains(t, gitIn(t, n.Top, "branch"), n.Branch)
			require.Equal(t, 1, strings.Count(gitIn(t, n.Top, "worktree", "list"), "\n"))
		})
	}
}

// What is no longer where it was is not told as kept there, even where git fails at the last moment or takes too
// long for it.
func TestAWorktreeThatGitHasNotForgottenIsToldAsRemovedAndForgottenAtTheNextStart(t *testing.T) {
	n, repository := treeOf(t)
	n.Ready = true
	require.NoError(t, n.Save())
	lock := filepath.Join(n.Top, ".git", "refs", "pawl", "start", n.Branch+".lock")
	require.NoError(t, os.MkdirAll(filepath.Dir(lock), 0o700))
	require.NoError(t, os.WriteFile(lock, nil, 0o600))
	trees, _ := treesOf(n, repository)
	left := trees.end(t.Context(), n, repository, false)
	require.False(t, left.Kept)
	require.Equal(t, "nothing was changed, so it is removed with its branch "+n.Branch, left.Summary())
	require.NoDirExists(t, n.Path)
	_, found, err := ReadNote(n.Path)
	require.NoError(t, err)
	require.True(t, found, "the next start knows of it")
	require.NoError(t, os.Remove(lock))
	trees.sweep(t.Context())
	require.NoDirExists(t, filepath.Dir(n.Path))
	require.NotContains(t, gitIn(t, n.Top, "branch"), n.Branch)
}

// Git fails whoever makes a worktree while another is being made: five wait for each other.
func TestFiveWorktreesAtOnceAreEachMadeAndLeft(t *testing.T) {
	n, repository := treeOf(t)
	require.NoError(t, n.Drop()) // or a sweep removes this one too
	trees, wait := treesOf(n, repository)
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			name := fmt.Sprintf("five-%d", i)
			run := lifecycle.Run{Spec: lifecycle.Spec{Folder: filepath.Join(trees.folder(), name), Branch: "pawl/" + name, Root: n.Session}}
			note, repository, err := trees.begin(t.Context(), run)
			if !assert.NoError(t, err) {
				return
			}
			if i%2 == 0 {
				assert.NoError(t, os.WriteFile(filepath.Join(note.Path, "work.go"), []byte("x\n"), 0o600))
			}
			left := trees.end(t.Context(), note, repository, false)
			assert.Equal(t, []any{i%2 == 0, ""}, []any{left.Kept, left.Why})
		})
	}
	all.Wait()
	wait()
	notes, err := ReadNotes(trees.Below)
	for starts := 0; starts < 20 && len(notes) > 3; starts++ {
		trees.sweep(t.Context())
		notes, err = ReadNotes(trees.Below)
	}
	require.NoError(t, err)
	require.Len(t, notes, 3)
	require.Equal(t, 1+1+3, strings.Count(gitIn(t, n.Top, "worktree", "list"), "\n"))
}
