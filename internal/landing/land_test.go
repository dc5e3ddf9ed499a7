package landing

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/tools/git"
)

// landed is what landing in a scene did.
type landed struct {
	lifecycle.Landed
	err error
}

// target is a target whose record is kept, or refused.
func (s *scene) target(refuse error) (to Target, recorded *[]lifecycle.Landed, wait func()) {
	s.t.Helper()
	var begun sync.WaitGroup
	store := filestore.New(s.t.TempDir())
	s.t.Cleanup(func() { require.NoError(s.t, store.Close()) })
	recorded = new([]lifecycle.Landed)
	require.NoError(s.t, s.note.Save())
	return Target{
		Contents: store, Journal: filepath.Join(s.t.TempDir(), "journal"),
		Trees: worktree.New(worktree.Options{
			Session: s.note.Session, Folder: s.note.Folder, Below: filepath.Dir(filepath.Dir(s.note.Path)), Go: begun.Go,
			Repository: func(lifecycle.RunID) (git.Repository, error) { return s.repository(), nil },
		}),
		Record: func(_ context.Context, l lifecycle.Landed) error {
			if refuse == nil {
				*recorded = append(*recorded, l)
			}
			return refuse
		},
	}, recorded, begun.Wait
}

func (s *scene) land(wish Wish) landed {
	s.t.Helper()
	to, recorded, wait := s.target(nil)
	p := s.plan(wish.Files...)
	done, err := p.Land(s.t.Context(), to, wish)
	wait()
	if err == nil {
		require.Equal(s.t, []lifecycle.Landed{done}, *recorded)
	} else {
		require.Empty(s.t, *recorded)
	}
	require.NoFileExists(s.t, filepath.Join(to.Journal, commitNote))
	return landed{done, err}
}

func (s *scene) holds(name, text string) {
	s.t.Helper()
	now, err := os.ReadFile(filepath.Join(s.top, name))
	require.NoError(s.t, err)
	require.Equal(s.t, text, string(now))
}

func TestWhatIsLandedWhollyTakesItsWorktreeWithIt(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "two", "2"))
	s.inTree("commit", "-qam", "committed")
	s.there("new.go", "new\n")
	s.here("poem.txt", replaced(poem, "nine", "9"))
	s.here("mine.go", "mine\n")
	s.git("add", "mine.go")
	done := s.land(Wish{})
	require.NoError(t, done.err)
	require.True(t, done.Removed)
	s.holds("poem.txt", replaced(poem, "two", "2", "nine", "9"))
	s.holds("new.go", "new\n")
	require.Equal(t, "A  mine.go\n M poem.txt\n?? new.go\n", s.git("status", "--porcelain"), "what was staged is, and nothing else")
	require.NoDirExists(t, s.note.Path)
	require.NoFileExists(t, worktree.NoteOf(s.note.Path))
	require.NotContains(t, s.git("branch"), "pawl/")
	require.Equal(t, 1, strings.Count(s.git("worktree", "list"), "\n"))
	require.Equal(t, "2 files landed in "+s.top+"; its worktree is removed", Says(done.Landed))
	require.Contains(t, Tell(done.Landed, "a1", "fix it"), `The user has landed changes of the subagent "fix it" (a1) in `+s.top+": new.go (new), poem.txt. Its worktree is removed.")
}

func TestWhatIsLeftKeepsTheWorktreeAndLandsNext(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "one\n", "1\n", "twelve\n", "12\n"))
	s.there("cart.go", "package basket\n")
	done := s.land(Wish{Choice: Choice{[]Pick{{Path: "poem.txt", Hunks: []int{1}}}}})
	require.NoError(t, done.err)
	require.False(t, done.Removed)
	require.Equal(t, []string{"cart.go", "poem.txt"}, done.Left)
	s.holds("poem.txt", replaced(poem, "twelve\n", "12\n"))
	require.DirExists(t, s.note.Path)
	done = s.land(Wish{})
	require.NoError(t, done.err)
	require.True(t, done.Removed)
	s.holds("poem.txt", replaced(poem, "one\n", "1\n", "twelve\n", "12\n"))
	s.holds("cart.go", "package basket\n")
}

func TestAConflictChangesNothingOfItsFile(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "two", "2"))
	s.there("cart.go", "package basket\n")
	s.here("poem.txt", replaced(poem, "two", "II"))
	done := s.land(Wish{})
	require.NoError(t, done.err)
	require.Equal(t, []string{"poem.txt"}, done.Left)
	s.holds("poem.txt", replaced(poem, "two", "II"))
	s.holds("cart.go", "package basket\n")
	again := s.land(Wish{})
	require.ErrorIs(t, again.err, ErrNothing)
	require.DirExists(t, s.note.Path)
}

func TestWhatConflictsIsSentBackWithBothSidesAndTheFoldersFile(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "two", "2"))
	s.here("poem.txt", replaced(poem, "two", "II"))
	text, _, _, err := s.plan().Message()
	require.NoError(t, err)
	for _, want := range []string{
		"## poem.txt", "Place 1, at line 2 of the folder's file. Before:\n```\ntwo\n```", "In the folder now:\n```\nII\n```", "In your worktree:\n```\n2\n```",
		"The folder's file now, whole:\n```\none\nII\nthree\n", s.note.Path,
	} {
		require.Contains(t, text, want)
	}
	s.here("poem.txt", poem)
	_, _, _, err = s.plan().Message()
	require.EqualError(t, err, "nothing conflicts, so there is nothing to send back")
}

func TestARecordThatCannotBeWrittenLeavesEverythingAsBefore(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", "short\n")
	before, head := s.git("status", "--porcelain"), s.git("rev-parse", "HEAD")
	to, _, wait := s.target(errors.New("the disk is full"))
	p := s.plan()
	_, err := p.Land(t.Context(), to, Wish{Commit: true})
	wait()
	require.EqualError(t, err, "the disk is full")
	s.holds("poem.txt", poem)
	require.Equal(t, before, s.git("status", "--porcelain"))
	require.Equal(t, head, s.git("rev-parse", "HEAD"))
	require.DirExists(t, s.note.Path)
	require.Contains(t, s.git("branch"), s.note.Branch)
	require.NoFileExists(t, filepath.Join(to.Journal, commitNote))
}

func TestAWorktreeThatChangesMeanwhileStays(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", "short\n")
	p := s.plan()
	s.there("late.go", "late\n")
	to, _, wait := s.target(nil)
	done, err := p.Land(t.Context(), to, Wish{})
	wait()
	require.NoError(t, err)
	require.False(t, done.Removed)
	require.FileExists(t, filepath.Join(s.note.Path, "late.go"))
}

func TestABranchWithMoreThanTheWorktreeStays(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", "short\n")
	s.inTree("commit", "-qam", "on the branch")
	s.inTree("switch", "-q", "--detach", "HEAD~")
	s.there("cart.go", "package basket\n")
	done := s.land(Wish{})
	require.NoError(t, done.err)
	require.True(t, done.Removed)
	require.Contains(t, s.git("branch"), s.note.Branch, "its commit is nowhere else")
}

func TestACommitHasJustTheLandedFiles(t *testing.T) {
	s := newScene(t, map[string]string{"poem.txt": poem, "old.txt": poem + "old\n", "run.sh": "x\n", ".gitattributes": "*.txt text eol=crlf\n"}).began()
	s.there("poem.txt", replaced(poem, "two", "2"))
	s.inTree("mv", "old.txt", "sub.txt")
	require.NoError(t, os.Chmod(filepath.Join(s.note.Path, "run.sh"), 0o700)) //nolint:gosec // it is to be executable
	s.here("mine.go", "mine\n")
	s.git("add", "mine.go")
	s.here("other.go", "other\n")
	done := s.land(Wish{Commit: true, Message: "Land it"})
	require.NoError(t, done.err)
	require.Equal(t, "Land it\n", s.git("log", "-1", "--format=%s"))
	require.Equal(t, done.Commit+"\n", s.git("rev-parse", "refs/heads/main"))
	require.Equal(t, "M\tpoem.txt\nM\trun.sh\nR100\told.txt\tsub.txt\n", s.git("diff", "-M", "--name-status", "HEAD~", "HEAD"))
	require.Equal(t, "A  mine.go\n?? other.go\n", s.git("status", "--porcelain"), "the index came along, and nothing else is committed")
	require.Equal(t, replaced(poem, "two", "2"), s.git("show", "HEAD:poem.txt"), "as git keeps it")
	require.Contains(t, s.git("ls-tree", "HEAD", "run.sh"), "100755")
	require.True(t, done.Removed)
}

func TestWhyNoCommitIsMadeIsSaidAndNothingChanged(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(s *scene)
		want string
	}{
		"a staged file":   {func(s *scene) { s.here("poem.txt", poem+"x\n"); s.git("add", "poem.txt") }, "no commit is made of poem.txt: it is staged"},
		"a dirty file":    {func(s *scene) { s.here("poem.txt", poem+"x\n") }, "no commit is made of poem.txt: it has changes of yours that are not committed"},
		"a detached head": {func(s *scene) { s.git("switch", "-q", "--detach") }, "no branch is checked out there (a detached HEAD)"},
		"a merge":         {func(s *scene) { s.here(".git/MERGE_HEAD", s.git("rev-parse", "HEAD")) }, "no commit is made while a merge is under way"},
		"a rebase":        {func(s *scene) { s.here(".git/rebase-merge/done", "") }, "no commit is made while a rebase is under way"},
		"a cherry-pick":   {func(s *scene) { s.here(".git/CHERRY_PICK_HEAD", s.git("rev-parse", "HEAD")) }, "no commit is made while a cherry-pick is under way"},
		"git at work":     {func(s *scene) { s.here(".git/index.lock", "") }, "no commit is made while git is at work"},
		"an overlooked file": {func(s *scene) {
			s.here("poem.txt", poem+"x\n")
			s.git("update-index", "--assume-unchanged", "poem.txt")
		}, "no commit is made of poem.txt: git is told to overlook what is changed in it"},
		"a filter": {func(s *scene) {
			s.git("config", "filter.lfs.clean", "cat")
			s.here(".git/info/attributes", "poem.txt filter=lfs\n")
		}, "git keeps it with the filter lfs, which Pawl does not run"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, nil).began()
			s.there("poem.txt", replaced(poem, "two", "2"))
			c.do(s)
			before, err := os.ReadFile(filepath.Join(s.top, "poem.txt"))
			require.NoError(t, err)
			done := s.land(Wish{Commit: true})
			require.ErrorContains(t, done.err, c.want)
			require.NotContains(t, done.err.Error(), "\n")
			s.holds("poem.txt", string(before))
			require.DirExists(t, s.note.Path)
			if name != "a merge" {
				require.NoError(t, s.land(Wish{}).err, "it lands without a commit")
			}
		})
	}
}

// lockedAfter has another git at work on the index from the record of a landing on.
func (s *scene) lockedAfter(to Target) Target {
	record := to.Record
	to.Record = func(ctx context.Context, l lifecycle.Landed) error {
		s.here(".git/index.lock", "")
		return record(ctx, l)
	}
	return to
}

func (s *scene) unlock() { require.NoError(s.t, os.Remove(filepath.Join(s.top, ".git/index.lock"))) }

func TestTheIndexComesAlongAsSoonAsAnotherGitLetsIt(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", "short\n")
	to, _, wait := s.target(nil)
	to = s.lockedAfter(to)
	pauses := 0
	to.Pause = func(time.Duration) {
		if pauses++; pauses == 3 {
			s.unlock()
		}
	}
	to.Warn = func(text string) { require.Fail(t, text) }
	_, err := s.plan().Land(t.Context(), to, Wish{Commit: true})
	wait()
	require.NoError(t, err)
	require.Equal(t, 3, pauses)
	require.Empty(t, s.git("status", "--porcelain"))
	require.NoFileExists(t, filepath.Join(to.Journal, commitNote))
}

func TestAnIndexThatIsBehindIsToldAndMendedBeforeTheNextCommit(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", "short\n")
	s.there("cart.go", "package basket\n")
	to, _, wait := s.target(nil)
	locked := s.lockedAfter(to)
	locked.Pause = func(time.Duration) {}
	told := ""
	locked.Warn = func(text string) { told = text }
	_, err := s.plan(Pick{Path: "poem.txt"}).Land(t.Context(), locked, Wish{Choice: Choice{[]Pick{{Path: "poem.txt"}}}, Commit: true})
	require.NoError(t, err)
	require.Contains(t, told, "git is at work there")
	require.NotContains(t, told, "\n")
	require.Equal(t, "MM poem.txt\n", s.git("status", "--porcelain"), "the index would take the commit back")
	repository := func() (git.Repository, error) { return s.repository(), nil }
	to.Recorded = func(lifecycle.OperationID) (bool, error) { return true, nil }
	require.ErrorIs(t, RecoverCommit(t.Context(), to.Journal, t.TempDir(), repository, to.Recorded), git.ErrIndexLocked)
	_, pending := Pending(to.Journal)
	require.True(t, pending, "it is kept for the next time")
	s.unlock()
	_, err = s.plan().Land(t.Context(), to, Wish{Commit: true})
	wait()
	require.NoError(t, err)
	require.Empty(t, s.git("status", "--porcelain"))
	_, pending = Pending(to.Journal)
	require.False(t, pending)
}

// Killed before the log has the landing the branch is as before, after it as after: whoever opens the
// session next ends it.
func TestACommitThatACrashCutOffIsEndedByTheLog(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		s := newScene(t, nil).began()
		s.there("poem.txt", "short\n")
		to, _, _ := s.target(nil)
		p := s.plan()
		c, err := p.makeCommit(t.Context(), "op", "Land it")
		require.NoError(t, err)
		require.NoError(t, c.note(to.Journal))
		require.NoError(t, c.Aside.Publish(t.Context(), s.repository()))
		s.here("poem.txt", "short\n")
		has := func(lifecycle.OperationID) (bool, error) { return recorded, nil }
		repository := func() (git.Repository, error) { return s.repository(), nil }
		for range 2 {
			require.NoError(t, RecoverCommit(t.Context(), to.Journal, t.TempDir(), repository, has))
		}
		want := map[bool]string{true: "", false: " M poem.txt\n"}[recorded]
		require.Equal(t, want, s.git("status", "--porcelain"))
		require.Equal(t, recorded, strings.TrimSpace(s.git("rev-parse", "HEAD")) == c.Aside.New)
	}
}

func TestALandedWorktreeThatACrashLeftGoesAtTheNextStart(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		s := newScene(t, nil).began()
		s.there("poem.txt", "short\n")
		to, _, _ := s.target(nil)
		p := s.plan()
		_, err := to.Trees.SetAside(t.Context(), s.repository(), s.note, worktree.Leaving{Operation: "op", Tree: p.tree, Tip: s.note.Base})
		require.NoError(t, err)
		require.NoDirExists(t, s.note.Path)
		var begun sync.WaitGroup
		again := worktree.New(worktree.Options{
			Session: s.note.Session, Folder: s.note.Folder, Below: filepath.Dir(filepath.Dir(s.note.Path)), Go: begun.Go,
			Repository: func(lifecycle.RunID) (git.Repository, error) { return s.repository(), nil },
			Landed: func(_ context.Context, _ lifecycle.SessionID, operation lifecycle.OperationID) (bool, error) {
				return recorded && operation == "op", nil
			},
		})
		again.Start(t.Context())
		begun.Wait()
		if recorded {
			require.NoDirExists(t, s.note.Path)
			require.NotContains(t, s.git("branch"), "pawl/")
			continue
		}
		require.FileExists(t, filepath.Join(s.note.Path, "poem.txt"))
		note, found, err := again.Find(s.note.Agent)
		require.NoError(t, err)
		require.True(t, found && note.Leaving == nil)
	}
}

func TestAWorktreeThatBeganDirtyLandsWhatTheSubagentChanged(t *testing.T) {
	s := newScene(t, nil)
	s.here("poem.txt", replaced(poem, "nine", "9"))
	s.here("draft.go", "draft\n")
	s.began()
	start, err := s.repository().Uncommitted(t.Context(), s.top, t.TempDir())
	require.NoError(t, err)
	require.NoError(t, s.repository().Bring(t.Context(), s.note.Path, s.note.Branch, start))
	s.note.Start = start
	s.there("poem.txt", replaced(poem, "nine", "9", "two", "2"))
	s.here("poem.txt", replaced(poem, "nine", "NINE"))
	p := s.plan()
	require.Len(t, p.Files, 1, "the draft is not the subagent's")
	done := s.land(Wish{})
	require.NoError(t, done.err)
	s.holds("poem.txt", replaced(poem, "nine", "NINE", "two", "2"))
	require.True(t, done.Removed)
	require.NotContains(t, s.git("for-each-ref"), "pawl")
}

func TestAFileLandsWhereAFolderWasAndTheOtherWayRound(t *testing.T) {
	s := newScene(t, map[string]string{"a/one.go": "one\n", "b": "b\n"}).began()
	require.NoError(t, os.RemoveAll(filepath.Join(s.note.Path, "a")))
	s.there("a", "now a file\n")
	require.NoError(t, os.Remove(filepath.Join(s.note.Path, "b")))
	s.there("b/two.go", "two\n")
	s.here("a/mine.go", "mine\n")
	p := s.plan()
	require.Equal(t, "3 files to land, 1 file in conflict", p.Says())
	require.Equal(t, "a folder stands in its place", p.Files[0].Why)
	require.NoError(t, os.Remove(filepath.Join(s.top, "a/mine.go")))
	done := s.land(Wish{Commit: true})
	require.NoError(t, done.err)
	s.holds("a", "now a file\n")
	s.holds("b/two.go", "two\n")
	require.Empty(t, s.git("status", "--porcelain"))
	require.True(t, done.Removed)
}

// After it was sent back, and only once the subagent has changed its file since, that is held against
// what it was told: so what it made of the folder's lines lands, and nothing else is taken for that.
func TestWhatWasSentBackLandsOnceTheSubagentHasBroughtItUpToDate(t *testing.T) {
	s := newScene(t, nil).began()
	s.there("poem.txt", replaced(poem, "two", "2"))
	s.there("cart.go", "package basket\n")
	s.here("poem.txt", replaced(poem, "two", "two!", "nine", "NINE"))
	require.NoError(t, os.Remove(filepath.Join(s.top, "cart.go")))
	store := filestore.New(t.TempDir())
	defer store.Close() //nolint:errcheck // it is read above all
	refused := errors.New("it is stopped")
	p := s.plan()
	require.ErrorIs(t, p.SendBack(store, func(string) error { return refused }), refused)
	require.NoError(t, p.SendBack(store, func(string) error { return nil }))
	note, found, err := worktree.ReadNote(s.note.Path)
	require.NoError(t, err)
	require.True(t, found)
	s.note, s.read = note, store.Read
	require.Len(t, s.plan().Of(Conflict), 2, "the subagent has not done it yet")
	s.there("poem.txt", replaced(poem, "two", "2!", "nine", "NINE"))
	s.there("cart.go", "package basket // again\n")
	p = s.plan()
	require.Equal(t, "2 files to land", p.Says())
	require.Equal(t, "@@ -1,5 +1,5 @@\n one\n-two!\n+2!\n three\n four\n five\n", p.Files[1].Hunks[0].Text, "it is shown against the folder's lines")
	s.here("poem.txt", replaced(poem, "two", "two!", "nine", "NINE", "twelve", "12"))
	require.Equal(t, replaced(poem, "two", "2!", "nine", "NINE", "twelve", "12"), merged(t, s.plan().Files[1]))
}
