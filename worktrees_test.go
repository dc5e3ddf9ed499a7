package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/store"
	"pawl/tools"
	"pawl/tools/git"
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

func TestAWorktreeThatIsNotThereNamesTheNearestWhereThereIsOne(t *testing.T) {
	c := treesCommand{Names: []string{"fix-cart"}}
	_, err := c.chosen(nil)
	require.EqualError(t, err, `no worktree "fix-cart": there are none`)
	_, err = c.chosen([]treeRow{{Path: "/data/s/fix-the-cart-3fa21b"}, {Path: "/data/s/read-it-01ab23"}})
	require.EqualError(t, err, `no worktree "fix-cart" (pawl worktrees lists them)`, "a guess would be too far off")
	c.Names[0] = "fix-the-cart-3fa12b"
	_, err = c.chosen([]treeRow{{Path: "/data/s/fix-the-cart-3fa21b"}, {Path: "/data/s/read-it-01ab23"}})
	require.EqualError(t, err, `no worktree "fix-the-cart-3fa12b"; did you mean "fix-the-cart-3fa21b"? (pawl worktrees lists them)`)
}

func TestTheNotesOfWorktreesAreReadWhateverStandsBesideThem(t *testing.T) {
	dir := t.TempDir()
	second := treeNote{Path: filepath.Join(dir, "s", "two"), Made: time.Unix(2, 0)}
	first := treeNote{Path: filepath.Join(dir, "s", "one"), Branch: "pawl/one", Made: time.Unix(1, 0), Ready: true, Behind: 3}
	require.NoError(t, second.save())
	require.NoError(t, first.save())
	require.NoError(t, os.WriteFile(noteOf(filepath.Join(dir, "s", "torn")), []byte(`{"path":`), 0o600))
	moved := noteOf(filepath.Join(dir, "s", "moved"))
	require.NoError(t, os.WriteFile(moved, []byte(`{"path":"/home/somebody"}`), 0o600))
	notes, err := readNotes(dir)
	require.ErrorContains(t, err, "torn.json")
	require.ErrorContains(t, err, "moved.json: it names another folder")
	require.Len(t, notes, 2)
	require.Equal(t, first.Path, notes[0].Path)
	require.Equal(t, 3, notes[0].Behind)
	require.NoError(t, first.drop())
	require.NoError(t, first.drop(), "twice is as good")
	require.DirExists(t, filepath.Dir(second.Path), "another is in it")
}

func TestOnlyAFolderOfTheSessionsWorktreesIsOne(t *testing.T) {
	h := &house{base: &base{}, root: "root"}
	h.folders.Data = "/data"
	trees := newWorktrees(h)
	path, err := trees.pathOf("/data/worktrees/root/cart-1/deep/er")
	require.NoError(t, err)
	require.Equal(t, "/data/worktrees/root/cart-1", path)
	for _, other := range []string{"/data/worktrees/root", "/data/worktrees/other/cart-1", "/src", ""} {
		_, err := trees.pathOf(other)
		require.ErrorContains(t, err, "not a worktree of this session", other)
	}
}

func TestWhoeverIsStoppedWhileAnotherWorktreeIsMadeWaitsNoLonger(t *testing.T) {
	trees := newWorktrees(&house{})
	done, err := trees.enter(t.Context())
	require.NoError(t, err)
	ctx, stop := context.WithCancelCause(t.Context())
	stop(&lifecycle.Stopped{Cause: lifecycle.CauseKey})
	_, err = trees.enter(ctx)
	require.Error(t, err)
	done()
	again, err := trees.enter(t.Context())
	require.NoError(t, err)
	again()
}

// treeOf is a note of a worktree that git has made, and that says it is half made.
func treeOf(t *testing.T) (treeNote, git.Repository) {
	t.Helper()
	top := filepath.Join(realTemp(t), "shop")
	require.NoError(t, os.MkdirAll(filepath.Join(top, "sub"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(top, "sub", "cart.go"), []byte("one\n"), 0o600))
	gitAt(t, top, "init", "-q", ".")
	gitAt(t, top, "add", ".")
	gitAt(t, top, "commit", "-qm", "first")
	n := treeNote{
		Path: filepath.Join(realTemp(t), "worktrees", "root", "cart-1"), Branch: "pawl/cart-1", Top: top, Folder: top, Session: "root",
		Base: strings.TrimSpace(gitAt(t, top, "rev-parse", "HEAD")),
	}
	gitAt(t, top, "worktree", "add", "-q", "-b", n.Branch, n.Path)
	require.NoError(t, n.save())
	return n, git.Repository{Checkout: git.Look(top), Folder: top, Launcher: &tools.Launcher{}}
}

// houseOf is a house at work in the checkout of a worktree.
func houseOf(n treeNote) *house {
	h := &house{base: &base{}, root: n.Session, project: project{folder: n.Folder, checkout: git.Look(n.Top)}}
	h.world.folder, h.folders.Data = n.Folder, filepath.Dir(filepath.Dir(filepath.Dir(n.Path)))
	h.trees = newWorktrees(h)
	return h
}

func realTemp(t *testing.T) string {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return folder
}

func TestAWorktreeThatWasHalfMadeWhenItWasListedIsLookedAtAgain(t *testing.T) {
	n, repository := treeOf(t)
	row := treeRow{Path: n.Path, Branch: n.Branch, Base: n.Base, note: n, repository: repository}
	row.look(t.Context(), nil)
	require.False(t, row.holds(), "nobody has worked in it yet")
	n.Ready = true
	require.NoError(t, n.save())
	require.NoError(t, os.WriteFile(filepath.Join(n.Path, "work.go"), []byte("x"), 0o600))
	kept, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "pawl.db"), store.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, kept.Close()) })
	_, err = (&treesCommand{AllUnchanged: true}).removeOne(t.Context(), kept, row, nil)
	require.ErrorContains(t, err, "uncommitted changes: work.go")
	require.FileExists(t, filepath.Join(n.Path, "work.go"))
}

func TestAWorktreeOfAnEarlierRunOutlastsTheFolderOfTheNext(t *testing.T) {
	n, _ := treeOf(t)
	n.Ready = true
	require.NoError(t, n.save())
	gitAt(t, n.Path, "mv", "sub", "other")
	gitAt(t, n.Path, "commit", "-qm", "moved")
	_, _, err := houseOf(n).trees.take(t.Context(), lifecycle.Run{Spec: lifecycle.Spec{Folder: filepath.Join(n.Path, "sub")}})
	require.ErrorContains(t, err, "no longer in the agent's worktree")
	require.DirExists(t, filepath.Join(n.Path, "other"))
	_, found, err := readNote(n.Path)
	require.NoError(t, err)
	require.True(t, found, "pawl worktrees lists it")
}

// Whatever ends Pawl while it removes a worktree, the next start removes the rest.
func TestTheNextStartEndsARemovalThatWasCutOff(t *testing.T) {
	for name, cutOff := range map[string]func(t *testing.T, n treeNote, r git.Repository){
		"renamed": func(t *testing.T, n treeNote, _ git.Repository) {
			require.NoError(t, os.Rename(n.Path, git.Gone(n.Path)))
		},
		"forgotten": func(t *testing.T, n treeNote, r git.Repository) {
			require.NoError(t, r.Remove(t.Context(), n.Top, n.Path, n.Branch, n.Base))
		},
		"half deleted": func(t *testing.T, n treeNote, r git.Repository) {
			require.NoError(t, r.Remove(t.Context(), n.Top, n.Path, n.Branch, n.Base))
			require.NoError(t, n.drop())
			require.NoError(t, os.Remove(filepath.Join(git.Gone(n.Path), ".git")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			n, repository := treeOf(t)
			n.Ready = true
			require.NoError(t, n.save())
			cutOff(t, n, repository)
			houseOf(n).trees.sweep(t.Context())
			require.NoDirExists(t, filepath.Dir(n.Path))
			require.NotContains(t, gitAt(t, n.Top, "branch"), n.Branch)
			require.Equal(t, 1, strings.Count(gitAt(t, n.Top, "worktree", "list"), "\n"))
		})
	}
}

// Git fails whoever makes a worktree while another is being made: five wait for each other.
func TestFiveWorktreesAtOnceAreEachMadeAndLeft(t *testing.T) {
	n, _ := treeOf(t)
	h := houseOf(n)
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			name := fmt.Sprintf("five-%d", i)
			run := lifecycle.Run{Spec: lifecycle.Spec{Folder: filepath.Join(h.trees.folder(), name), Branch: "pawl/" + name, Root: h.root}}
			note, repository, err := h.trees.take(t.Context(), run)
			if !assert.NoError(t, err) {
				return
			}
			if i%2 == 0 {
				assert.NoError(t, os.WriteFile(filepath.Join(note.Path, "work.go"), []byte("x\n"), 0o600))
			}
			left := h.trees.leave(t.Context(), note, repository, false)
			assert.Equal(t, []any{i%2 == 0, ""}, []any{left.Kept, left.Why})
		})
	}
	all.Wait()
	h.sweeping.Wait()
	notes, err := readNotes(h.folders.Worktrees())
	require.NoError(t, err)
	require.Len(t, notes, 1+3)
	require.Equal(t, 1+1+3, strings.Count(gitAt(t, n.Top, "worktree", "list"), "\n"))
}
