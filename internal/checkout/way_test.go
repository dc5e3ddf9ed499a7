package checkout

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
)

func TestAWorkerHasTheFilesOfTheFolderAsTheyAre(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	before := gittest.Run(t, top, "status", "--porcelain")
	s := newScene(t, top, "")
	run := s.run("fix the cart")
	c := s.receive(s.send(run), "one")
	require.Equal(t, before, gittest.Run(t, top, "status", "--porcelain"), "what was staged is staged, and nothing else")
	want := all(t, top)
	delete(want, "built.o")
	require.Equal(t, want, all(t, c.Place.Top))
	require.Equal(t, c.Place.Top, c.Place.Folder)
	require.Equal(t, run.Branch, gitOf(t, c.Place.Top, "branch", "--show-current"))
	require.Equal(t, gitOf(t, top, "log", "--format=%H %s"), gitOf(t, c.Place.Top, "log", "--format=%H %s"))
	require.Equal(t, gitOf(t, top, "rev-parse", "main"), gitOf(t, c.Place.Top, "rev-parse", "main"))
	status := gitOf(t, c.Place.Top, "status", "--porcelain", "--untracked-files=all")
	require.Contains(t, status, "M cart.go")
	require.Contains(t, status, "D gone.go")
	require.Contains(t, status, "?? new.go")
	require.NoError(t, c.Close(true))
	require.NoDirExists(t, filepath.Join(s.work, "runs", "one"))
}

func TestWhatARunLeavesIsAWorktreeAtHome(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	s := newScene(t, top, "")
	run := s.run("fix the cart")
	var want map[string]string
	left := s.whole(run, func(c *Checkout) {
		f := c.Place.Folder
		put(t, f, "committed.go", "by the subagent\n")
		gittest.Run(t, f, "add", "committed.go")
		gittest.Run(t, f, "commit", "-q", "-m", "third", "committed.go")
		put(t, f, "cart.go", "changed by the subagent\n")
		put(t, f, "more/new.go", "new\n")
		put(t, f, "ignored.o", "ignored")
		require.NoError(t, os.Remove(filepath.Join(f, "second.go")))
		require.NoError(t, os.Rename(filepath.Join(f, "new.go"), filepath.Join(f, "newer.go")))
		require.NoError(t, os.Chmod(filepath.Join(f, "run.sh"), 0o600))
		require.NoError(t, os.Remove(filepath.Join(f, "link")))
		require.NoError(t, os.Symlink("second.go", filepath.Join(f, "link")))
		want = all(t, f)
		delete(want, "ignored.o")
	})
	require.Equal(t, run.Folder, left.Path)
	require.True(t, left.Kept)
	require.Empty(t, left.Why)
	require.Equal(t, 1, left.Commits)
	require.Equal(t, 8, left.Files)
	require.Equal(t, want, all(t, left.Path))
	require.Equal(t, run.Branch, gitOf(t, left.Path, "branch", "--show-current"))
	require.Equal(t, "third\nsecond\nfirst", gitOf(t, left.Path, "log", "--format=%s"))
	require.Contains(t, gitOf(t, left.Path, "status", "--porcelain"), "?? more/")
	require.Empty(t, s.results.holds, "what is at home is deleted from the store")
	note, found, err := s.trees.Find(run.Session)
	require.NoError(t, err)
	require.True(t, found && note.Ready)
	require.Equal(t, gitOf(t, top, "rev-parse", "main"), note.Base)
	gittest.Run(t, top, "gc", "-q", "--prune=now")
	require.Equal(t, "commit", gitOf(t, top, "cat-file", "-t", note.Start), "git keeps what it began with")
}

func TestARunThatChangesNothingLeavesNothing(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	s := newScene(t, top, "")
	run := s.run("look")
	c := s.receive(s.send(run), "one")
	result := s.result(c, "one")
	require.True(t, result.Nothing())
	require.Empty(t, s.results.holds)
	left := s.back(run, result)
	require.False(t, left.Kept)
	require.Equal(t, []string{run.Folder, run.Branch}, []string{left.Path, left.Branch})
	require.NoDirExists(t, run.Folder)
	require.NotContains(t, gittest.Run(t, top, "branch", "--list"), "pawl/")
}

func TestAResumedAgentGoesOnWhereItWas(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	s := newScene(t, top, "")
	run := s.run("fix")
	s.whole(run, func(c *Checkout) {
		put(t, c.Place.Folder, "first run.go", "first\n")
		gittest.Run(t, c.Place.Folder, "add", "first run.go")
		gittest.Run(t, c.Place.Folder, "commit", "-q", "-m", "of the first run", "first run.go")
		put(t, c.Place.Folder, "loose.go", "loose\n")
	})
	first := all(t, run.Folder)
	put(t, top, "cart.go", "the folder has moved on\n")
	s.restart("")
	again := run
	again.ID = "run-again"
	var want map[string]string
	left := s.whole(again, func(c *Checkout) {
		require.Equal(t, first, all(t, c.Place.Folder))
		require.Equal(t, "of the first run", gitOf(t, c.Place.Folder, "log", "-1", "--format=%s"))
		require.Contains(t, gitOf(t, c.Place.Folder, "status", "--porcelain"), "?? loose.go")
		put(t, c.Place.Folder, "loose.go", "less loose\n")
		require.NoError(t, os.Remove(filepath.Join(c.Place.Folder, "new.go")))
		gittest.Run(t, c.Place.Folder, "add", "loose.go")
		gittest.Run(t, c.Place.Folder, "commit", "-q", "-m", "of the second run", "loose.go")
		want = all(t, c.Place.Folder)
	})
	require.Equal(t, want, all(t, left.Path))
	require.Equal(t, 2, left.Commits)
	require.Equal(t, 3, left.Files, "the files of both runs")
	require.Equal(t, "of the second run", gitOf(t, left.Path, "log", "-1", "--format=%s"))

	last := run
	last.ID = "run-last"
	left = s.whole(last, func(*Checkout) {})
	require.Equal(t, want, all(t, left.Path), "a run that changes nothing leaves it as it was")
	require.Equal(t, 2, left.Commits)
}

func TestAWorktreeThatWasChangedMeanwhileStays(t *testing.T) {
	top := checkout(t)
	s := newScene(t, top, "")
	run := s.run("fix")
	s.whole(run, func(c *Checkout) { put(t, c.Place.Folder, "mine.go", "first\n") })
	again := run
	again.ID = "run-again"
	c := s.receive(s.send(again), "again")
	put(t, c.Place.Folder, "mine.go", "second\n")
	result := s.result(c, "again")
	put(t, run.Folder, "mine.go", "by the user\n")
	for range 2 { // it may be told twice
		left, err := s.home.Return(t.Context(), again, &result)
		require.ErrorContains(t, err, "was changed while its subagent worked on another machine, and stays as it is")
		require.True(t, left.Kept)
	}
	require.Equal(t, "by the user\n", text(t, run.Folder, "mine.go"))
	branch := run.Branch + "-away-" + result.Files[:8]
	require.Equal(t, "second", gitOf(t, top, "show", branch+":mine.go"))
}

func TestOfALostRunNothingComesBack(t *testing.T) {
	s := newScene(t, checkout(t), "")
	run := s.run("fix")
	s.send(run)
	left, err := s.home.Return(t.Context(), run, nil)
	require.NoError(t, err)
	require.Nil(t, left)
	s.whole(run, func(c *Checkout) { put(t, c.Place.Folder, "mine.go", "first\n") })
	again := run
	again.ID = "run-again"
	s.send(again)
	left, err = s.home.Return(t.Context(), again, nil)
	require.NoError(t, err)
	require.Equal(t, []any{true, 1}, []any{left.Kept, left.Files})
}

func TestAResultCanComeTwice(t *testing.T) {
	s := newScene(t, checkout(t), "")
	run := s.run("fix")
	c := s.receive(s.send(run), "one")
	put(t, c.Place.Folder, "mine.go", "first\n")
	result := s.result(c, "one")
	first := s.back(run, result)
	s.restart("")
	require.Equal(t, first, s.back(run, result))

	again := run
	again.ID = "run-again"
	c = s.receive(s.send(again), "two")
	put(t, c.Place.Folder, "mine.go", "second\n")
	result = s.result(c, "two")
	second := s.back(again, result)
	put(t, run.Folder, "mine.go", "third\n")
	require.Equal(t, second, s.back(again, result))
	require.Equal(t, "third\n", text(t, run.Folder, "mine.go"), "it is not brought again")
}
