package checkout

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/tools/git"
	"pawl/tools/process"
)

func TestARunOfASubfolderWorksInIt(t *testing.T) {
	top := checkout(t)
	s := newScene(t, top, "sub")
	run := s.run("deep")
	left := s.whole(run, func(c *Checkout) {
		require.Equal(t, filepath.Join(c.Place.Top, "sub"), c.Place.Folder)
		put(t, c.Place.Folder, "deep.go", "deeper\n")
		put(t, c.Place.Top, "above.go", "above\n")
	})
	require.Equal(t, filepath.Dir(run.Folder), left.Path)
	require.Equal(t, "deeper\n", text(t, run.Folder, "deep.go"))
	require.Equal(t, "above\n", text(t, left.Path, "above.go"))
}

func TestAFolderThatIsInNoCommitIsRefused(t *testing.T) {
	top := checkout(t)
	require.NoError(t, os.MkdirAll(filepath.Join(top, "empty"), 0o700))
	s := newScene(t, top, "empty")
	_, err := s.cache.Receive(t.Context(), s.checkouts, s.send(s.run("x")), filepath.Join(s.work, "run"))
	require.ErrorContains(t, err, "empty is in no commit")
	require.NoDirExists(t, filepath.Join(s.work, "run"))

	ref := s.send(s.run("x"))
	ref.Within = "link"
	_, err = s.cache.Receive(t.Context(), s.checkouts, ref, filepath.Join(s.work, "run"))
	require.ErrorContains(t, err, "it is a link")
}

func TestARepositoryWithoutACommitIsRefused(t *testing.T) {
	top := checkout(t)
	s := newScene(t, top, "")
	run := s.run("x")
	gittest.Run(t, top, "checkout", "-q", "--orphan", "new")
	_, err := s.home.Send(t.Context(), run)
	require.ErrorContains(t, err, "has none yet: commit first")
	require.NotContains(t, err.Error(), "\n")
}

func TestSubmodulesAreEmptyFoldersAndStayAsTheyAre(t *testing.T) {
	top, other := checkout(t), checkout(t)
	gittest.Run(t, top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "library")
	gittest.Run(t, top, "commit", "-q", "-m", "a library")
	put(t, top, "library/cart.go", "changed inside\n")
	s := newScene(t, top, "")
	run := s.run("x")
	c := s.receive(s.send(run), "one")
	entries, err := os.ReadDir(filepath.Join(c.Place.Top, "library"))
	require.NoError(t, err)
	require.Empty(t, entries)
	require.True(t, s.result(c, "one").Nothing())
	put(t, c.Place.Top, "mine.go", "mine\n")
	put(t, c.Place.Top, "library/lost.go", "it is in no repository of the worker\n")
	left := s.back(run, s.result(c, "one"))
	require.Equal(t, 1, left.Files)
	require.Contains(t, gittest.Run(t, left.Path, "ls-files", "--stage"), "160000 ")
}

func TestARepositoryThatARunMadeInsideIsToldToBeLeft(t *testing.T) {
	s := newScene(t, checkout(t), "")
	run := s.run("x")
	c := s.receive(s.send(run), "one")
	inner := filepath.Join(c.Place.Top, "inner")
	require.NoError(t, os.Mkdir(inner, 0o700))
	put(t, inner, "a.go", "a\n")
	put(t, c.Place.Top, "mine.go", "mine\n")
	gittest.Run(t, inner, "init", "-q", ".")
	gittest.Run(t, inner, "add", ".")
	gittest.Run(t, inner, "commit", "-q", "-m", "inside")
	result := s.result(c, "one")
	require.Equal(t, []string{"inner"}, result.Left)
	left := s.back(run, result)
	require.True(t, left.Kept)
	require.Equal(t, "mine\n", text(t, left.Path, "mine.go"))
}

// mark is a program that leaves a mark when it is run.
func mark(t *testing.T) (program, mark string) {
	t.Helper()
	folder := realFolder(t)
	program, mark = filepath.Join(folder, "program"), filepath.Join(folder, "mark")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$0 $*\" >> "+mark+"\nexec cat\n"), 0o700))
	return program, mark
}

func TestFiltersOfTheRepositoryRunNowhere(t *testing.T) {
	program, mark := mark(t)
	top := checkout(t)
	put(t, top, ".gitattributes", "*.big filter=lfs diff=lfs merge=lfs -text\n")
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
	put(t, top, "picture.big", pointer)
	gittest.Run(t, top, "add", ".")
	gittest.Run(t, top, "commit", "-q", "-m", "a picture")
	for key, value := range map[string]string{
		"filter.lfs.clean": program, "filter.lfs.smudge": program, "filter.lfs.process": program, "filter.lfs.required": "true",
		"core.fsmonitor": program, "diff.lfs.textconv": program, "merge.lfs.driver": program,
	} {
		gitOf(t, top, "config", key, value)
	}
	script, err := os.ReadFile(program)
	require.NoError(t, err)
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "pre-commit"} {
		put(t, top, ".git/hooks/"+hook, string(script))
		require.NoError(t, os.Chmod(filepath.Join(top, ".git/hooks", hook), 0o700))
	}
	put(t, top, "new.big", pointer)
	_ = os.Remove(mark)
	s := newScene(t, top, "")
	run := s.run("x")
	s.whole(run, func(c *Checkout) {
		require.Equal(t, pointer, text(t, c.Place.Top, "picture.big"))
		put(t, c.Place.Top, "picture.big", "changed")
	})
	require.Equal(t, "changed", text(t, run.Folder, "picture.big"))
	require.Equal(t, pointer, text(t, run.Folder, "new.big"))
	require.NoFileExists(t, mark)
}

func TestWhatARunDidToItsGitFolderRunsNothing(t *testing.T) {
	program, mark := mark(t)
	s := newScene(t, checkout(t), "")
	run := s.run("x")
	c := s.receive(s.send(run), "one")
	script, err := os.ReadFile(program)
	require.NoError(t, err)
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "pre-commit", "fsmonitor-watchman"} {
		put(t, c.Place.Common, "hooks/"+hook, string(script))
		require.NoError(t, os.Chmod(filepath.Join(c.Place.Common, "hooks", hook), 0o700))
	}
	for key, value := range map[string]string{"core.fsmonitor": program, "core.hooksPath": filepath.Join(c.Place.Common, "hooks"), "filter.x.clean": program, "filter.x.smudge": program, "extensions.worktreeConfig": "true"} {
		gitOf(t, c.Place.Top, "config", key, value)
	}
	put(t, c.Place.Top, ".gitattributes", "* filter=x\n")
	_ = os.Remove(mark)
	result := s.result(c, "one")
	require.NotEmpty(t, result.Bundle)
	require.NoError(t, c.Close(true))
	s.back(run, result)
	c = s.receive(s.send(s.run("y")), "two")
	require.NoFileExists(t, mark, "neither at its end, nor at home, nor in the next run of that worktree")
	require.NoFileExists(t, filepath.Join(c.Place.Common, "hooks"))
	require.Empty(t, gitOf(t, c.Place.Top, "status", "--porcelain", "--ignored"))

	elsewhere := filepath.Join(s.work, "elsewhere") // a .git that leads elsewhere
	gittest.Run(t, s.work, "init", "-q", elsewhere)
	gitOf(t, elsewhere, "config", "core.fsmonitor", program)
	put(t, c.Place.Top, ".git", "gitdir: "+filepath.Join(elsewhere, ".git")+"\n")
	put(t, c.Place.Top, "mine.go", "mine\n")
	require.NotEmpty(t, s.result(c, "two").Bundle)
	require.NoFileExists(t, mark)
}

func TestAWorktreeThatServesTheNextRunHoldsNothingOfTheLast(t *testing.T) {
	top := checkout(t)
	dirty(t, top)
	s := newScene(t, top, "")
	run := s.run("x")
	c := s.receive(s.send(run), "one")
	want := all(t, c.Place.Top)
	info, err := os.Stat(filepath.Join(c.Place.Top, "second.go"))
	require.NoError(t, err)
	was, err := os.Stat(filepath.Join(c.Place.Top, "cart.go"))
	require.NoError(t, err)
	put(t, c.Place.Top, "cart.go", strings.Repeat("x", int(was.Size()))) // as long as it was, and with its time
	require.NoError(t, os.Chtimes(filepath.Join(c.Place.Top, "cart.go"), was.ModTime(), was.ModTime()))
	gittest.Run(t, c.Place.Top, "add", ".")
	gittest.Run(t, c.Place.Top, "update-index", "--assume-unchanged", "cart.go")
	put(t, c.Place.Top, "cache.o/x.o", "ignored")
	require.NoError(t, os.MkdirAll(filepath.Join(c.Place.Top, "nothing/in/it"), 0o700))
	require.NoError(t, os.RemoveAll(filepath.Join(c.Place.Top, "sub")))
	require.NoError(t, os.Symlink("/etc", filepath.Join(c.Place.Top, "sub")))
	put(t, c.Place.Top, "inner/.git/HEAD", "ref: refs/heads/x\n")
	require.NoError(t, os.Remove(filepath.Join(c.Place.Top, "new.go")))
	require.NoError(t, os.MkdirAll(filepath.Join(c.Place.Top, "new.go/is/a/folder"), 0o700))
	put(t, c.Place.Top, "closed/file", "x")
	require.NoError(t, c.Close(true))
	c = s.receive(s.send(s.run("y")), "two")
	require.Equal(t, want, all(t, c.Place.Top))
	require.NoDirExists(t, filepath.Join(c.Place.Top, "nothing"))
	again, err := os.Stat(filepath.Join(c.Place.Top, "second.go"))
	require.NoError(t, err)
	require.True(t, os.SameFile(info, again), "what was not changed is not written again")

	require.NoError(t, os.Chmod(filepath.Join(c.Place.Top, "sub"), 0o500)) // not even to be deleted
	put(t, c.Place.Top, "locked/file", "x")
	require.NoError(t, os.Chmod(filepath.Join(c.Place.Top, "locked"), 0o000))
	require.NoError(t, c.Close(true))
	put(t, top, "sub/deep.go", "changed\n")
	c = s.receive(s.send(s.run("z")), "three")
	want = all(t, top)
	delete(want, "built.o")
	require.Equal(t, want, all(t, c.Place.Top))
	require.NoError(t, c.Close(false))
	require.NoDirExists(t, filepath.Join(s.work, "runs/three"))
	require.Empty(t, keptIn(s.cache.kept(c.Ref.Repository)))
}

func TestIgnoredFilesThatAreListedGoAlong(t *testing.T) {
	top := checkout(t)
	put(t, top, ".worktreeinclude", ".env\nlarge/\n*.crlf\n")
	put(t, top, ".gitignore", "*.o\n.env\nlarge/\n*.crlf\n")
	put(t, top, ".gitattributes", "* text=auto eol=crlf\n")
	put(t, top, ".env", "KEY=1\nTWO=2\n")
	put(t, top, "sub/.env", "KEY=2\n")
	put(t, top, "windows.crlf", "one\r\ntwo\n")
	put(t, top, "large/deep/er", "content")
	put(t, top, "not.o", "not listed")
	require.NoError(t, os.Chmod(filepath.Join(top, "large/deep/er"), 0o700))
	require.NoError(t, os.Symlink("er", filepath.Join(top, "large/deep/link")))
	s := newScene(t, top, "")
	run := s.run("x")
	ref := s.send(run)
	require.Equal(t, 5, ref.Included.Files)
	c := s.receive(ref, "one")
	want := all(t, top)
	delete(want, "not.o")
	got := all(t, c.Place.Top)
	for _, name := range []string{".env", "sub/.env", "windows.crlf", "large/deep/er", "large/deep/link"} {
		require.Equal(t, want[name], got[name], name)
	}
	require.NotContains(t, got, "not.o")
	require.NoDirExists(t, filepath.Join(filepath.Dir(c.Place.Top), "include"))
	require.True(t, s.result(c, "one").Nothing())
	require.NoError(t, c.Close(true))

	before := s.checkouts.put
	put(t, top, ".env", "KEY=3\n")
	ref = s.send(s.run("y"))
	require.Less(t, s.checkouts.put-before, int64(2000), "only what changed is sent")
	c = s.receive(ref, "two")
	require.Equal(t, "KEY=3\n", text(t, c.Place.Top, ".env"))
	require.Equal(t, "content", text(t, c.Place.Top, "large/deep/er"))
}

func TestAnIgnoredFileIsNotWrittenThroughALink(t *testing.T) {
	top := checkout(t)
	outside := realFolder(t)
	require.NoError(t, os.Symlink(outside, filepath.Join(top, "out")))
	gittest.Run(t, top, "add", ".")
	gittest.Run(t, top, "commit", "-q", "-m", "a link that leads outside")
	s := newScene(t, top, "")
	ref := s.send(s.run("x"))
	other := newScene(t, checkout(t), "")
	r, err := other.trees.Repository("")
	require.NoError(t, err)
	put(t, other.top, "stage/out/evil", "x")
	ref.Include, err = r.GatherFolder(t.Context(), filepath.Join(other.top, "stage"), other.home.scratch())
	require.NoError(t, err)
	file, _, err := bundled(t.Context(), t.TempDir(), header{holds: map[string]string{headRef: ref.Include}}, packOf(r, ref.Include))
	require.NoError(t, err)
	defer file.Close()
	name := nameOf(ref.Repository, ref.Include, "")
	require.NoError(t, s.checkouts.Put(t.Context(), name, file))
	ref.Bundles = append(ref.Bundles, name)
	_, err = s.cache.Receive(t.Context(), s.checkouts, ref, filepath.Join(s.work, "run"))
	require.ErrorContains(t, err, "bring out/evil to the worktree")
	require.NoFileExists(t, filepath.Join(outside, "evil"))
}

func TestAShallowCloneWorksLikeAnyOther(t *testing.T) {
	whole := checkout(t)
	for _, name := range []string{"third.go", "fourth.go"} {
		put(t, whole, name, name)
		gittest.Run(t, whole, "add", ".")
		gittest.Run(t, whole, "commit", "-q", "-m", name)
	}
	top := realFolder(t)
	gittest.Run(t, top, "clone", "-q", "--depth=2", "file://"+whole, ".")
	s := newScene(t, top, "")
	run := s.run("x")
	s.whole(run, func(c *Checkout) {
		require.Equal(t, "fourth.go\nthird.go", gitOf(t, c.Place.Top, "log", "--format=%s"))
		put(t, c.Place.Top, "mine.go", "mine\n")
		gittest.Run(t, c.Place.Top, "add", ".")
		gittest.Run(t, c.Place.Top, "commit", "-q", "-m", "mine")
	})
	require.Equal(t, "mine\nfourth.go\nthird.go", gitOf(t, run.Folder, "log", "--format=%s"))
	put(t, top, "fifth.go", "fifth")
	gittest.Run(t, top, "add", ".")
	gittest.Run(t, top, "commit", "-q", "-m", "fifth")
	ref := s.send(s.run("y"))
	require.Len(t, ref.Bundles, 2)
	s.receive(ref, "two")
}

func TestAPartialCloneSendsWhatItHas(t *testing.T) {
	whole := checkout(t)
	put(t, whole, "cart.go", "another\n")
	gittest.Run(t, whole, "commit", "-q", "-a", "-m", "third")
	gitOf(t, whole, "config", "uploadpack.allowFilter", "true")
	top := realFolder(t)
	gittest.Run(t, top, "clone", "-q", "--filter=blob:none", "file://"+whole, ".")
	s := newScene(t, top, "")
	run := s.run("x")
	left := s.whole(run, func(c *Checkout) {
		require.Equal(t, all(t, top), all(t, c.Place.Top))
		put(t, c.Place.Top, "mine.go", "mine\n")
	})
	require.Equal(t, 1, left.Files)
}

func TestARepositoryOfSHA256WorksLikeAnyOther(t *testing.T) {
	top := realFolder(t)
	gittest.Run(t, top, "init", "-q", "-b", "main", "--object-format=sha256", ".")
	put(t, top, "cart.go", "one\n")
	gittest.Run(t, top, "add", ".")
	gittest.Run(t, top, "commit", "-q", "-m", "first")
	put(t, top, "new.go", "new\n")
	s := newScene(t, top, "")
	run := s.run("x")
	s.whole(run, func(c *Checkout) {
		require.Equal(t, "new\n", text(t, c.Place.Top, "new.go"))
		put(t, c.Place.Top, "mine.go", "mine\n")
	})
	require.Equal(t, "mine\n", text(t, run.Folder, "mine.go"))
}

func TestBranchesThatARunMadeComeHomeToo(t *testing.T) {
	top := checkout(t)
	s := newScene(t, top, "")
	run := s.run("x")
	commit := func(c *Checkout, name string) {
		put(t, c.Place.Top, name, name)
		gittest.Run(t, c.Place.Top, "add", ".")
		gittest.Run(t, c.Place.Top, "commit", "-q", "-m", name)
	}
	left := s.whole(run, func(c *Checkout) {
		commit(c, "on its own")
		gittest.Run(t, c.Place.Top, "switch", "-q", "-c", "feature/ö", "main")
		commit(c, "on another")
		gittest.Run(t, c.Place.Top, "switch", "-q", "main")
		commit(c, "on the user's")
		gittest.Run(t, c.Place.Top, "pack-refs", "--all")
		gittest.Run(t, c.Place.Top, "switch", "-q", "--detach")
		commit(c, "on none")
	})
	require.Equal(t, "second", gitOf(t, top, "log", "-1", "--format=%s", "main"), "the user's branch stays where it is")
	require.Equal(t, "on none\non the user's\nsecond\nfirst", gitOf(t, left.Path, "log", "--format=%s"))
	for name, subject := range map[string]string{"-own": "on its own", "-feature": "on another", "-main": "on the user's"} {
		require.Equal(t, subject, gitOf(t, top, "log", "-1", "--format=%s", run.Branch+name))
	}
}

func TestAMergeThatIsUnderWayIsRefused(t *testing.T) {
	top := checkout(t)
	gittest.Run(t, top, "switch", "-q", "-c", "other")
	put(t, top, "cart.go", "theirs\n")
	gittest.Run(t, top, "commit", "-q", "-a", "-m", "theirs")
	gittest.Run(t, top, "switch", "-q", "main")
	put(t, top, "cart.go", "ours\n")
	gittest.Run(t, top, "commit", "-q", "-a", "-m", "ours")
	s := newScene(t, top, "")
	run := s.run("x")
	command := process.Command{Name: "git", Args: []string{"-c", "user.name=x", "-c", "user.email=x@x", "merge", "other"}, Folder: top}
	_, err := (&process.Launcher{}).Run(t.Context(), command)
	require.NoError(t, err)
	_, err = s.home.Send(t.Context(), run)
	require.ErrorContains(t, err, "cart.go is in the middle of a merge")
	gittest.Run(t, top, "merge", "--abort")
	gittest.Run(t, top, "update-index", "--assume-unchanged", "cart.go")
	_, err = s.home.Send(t.Context(), run)
	require.ErrorContains(t, err, "git is told to treat cart.go as unchanged")
}

func packOf(r git.Repository, commits ...string) func(context.Context, *os.File) error {
	return func(ctx context.Context, to *os.File) error { return r.Pack(ctx, to, commits, nil) }
}
