package folderwatch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/tools/git"
	"pawl/tools/process"
)

func TestACheckoutOfAnotherBranchIsToldFileByFile(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	b.plain("git switch -qc other; echo other > README.md; git rm -q calc.go; echo n > new.go; git add .; git commit -qm other; git switch -q main")
	b.settle()
	require.Equal(t, []string{
		"README.md: # Calc||Adds numbers.| -> other|",
		"calc.go: package calc||func Add(a, b int) int { return a + b }| -> none",
		"new.go: none -> n|",
	}, b.told(b.bash("git switch -q other")))
	require.Equal(t, []string{
		"README.md: other| -> # Calc||Adds numbers.|",
		"calc.go: none -> package calc||func Add(a, b int) int { return a + b }|",
		"new.go: n| -> none",
	}, b.told(b.bash("git switch -q main; git gc -q --prune=now")))
	require.Equal(t, []string{"README.md: # Calc||Adds numbers.| -> x|"}, b.told(b.bash("echo x > README.md")), "git has packed it")
	require.Nil(t, b.told(b.bash("git commit -qam x; git switch -q other; git switch -q main")), "it is as it was")
}

func TestAFormatterIsToldByWhatItFormats(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	b.write("ugly.go", "package calc\nfunc  F( ) { }\n")
	b.settle()
	require.Equal(t, []string{"ugly.go: package calc|func  F( ) { }| -> package calc||func F() {}|"}, b.told(b.bash("gofmt -w .")))
}

func TestWhatIsIgnoredIsLeftOut(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	b.write(".gitignore", "/build/\n*.o\n")
	b.write("build/old", "o")
	b.settle()
	require.Nil(t, b.told(b.bash("mkdir -p build/a; echo x > build/a/b; echo y > x.o; rm build/old; git add .; git commit -qm b")))
	require.Equal(t, []string{".gitignore: /build/|*.o| -> *.o|"}, b.told(b.bash("echo '*.o' > .gitignore")), "what comes to light was there before")
	b.settle()
	require.Equal(t, []string{"build/a/b: x| -> z|"}, b.told(b.bash("echo z > build/a/b")), "and is watched from now on")
	require.Equal(t, []string{".gitignore: *.o| -> build|"}, b.told(b.bash("echo build > .gitignore")), "what is ignored from now on is not gone")
	b.settle()
	require.Equal(t, []string{"x.o: y| -> n|"}, b.told(b.bash("echo n > x.o; rm -r build")))
}

func TestWhatAPersonChangesBetweenCommandsIsNoCommands(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	b.write("a/mine.txt", "1\n")
	b.write("a/gone.txt", "1\n")
	b.settle()
	b.write("a/mine.txt", "2\n")
	b.write("new.txt", "by hand\n")
	require.NoError(t, os.Remove(filepath.Join(b.folder, "a/gone.txt")))
	past(t)
	require.Nil(t, b.bash("true"), "nobody had looked since")
	b.write("a/mine.txt", "3\n")
	b.settle()
	require.Equal(t, []string{"a/mine.txt: 3| -> 4|"}, b.told(b.bash("echo 4 > a/mine.txt")))
}

// past waits until the clock for files has passed what any clock says now.
func past(t *testing.T) {
	t.Helper()
	for began := fineNow(); fileNow() <= began; {
		if t.Context().Err() != nil {
			return
		}
	}
}

func TestWorkThatNobodyCommittedIsKeptBeforeACommandDestroysIt(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	b.write("README.md", "hours of work\n")
	b.write("draft.txt", "never added\n")
	b.plain("echo staged > calc.go; git add calc.go; echo more > calc.go")
	b.settle()
	require.Equal(t, []string{
		"README.md: hours of work| -> # Calc||Adds numbers.|",
		"calc.go: more| -> package calc||func Add(a, b int) int { return a + b }|",
		"draft.txt: never added| -> none",
	}, b.told(b.bash("git reset -q --hard; git clean -qfd")))
}

func TestWhatIsNotKnownIsSeenAndNotCovered(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	b.write("large.txt", strings.Repeat("x", maxUnknown+1))
	require.NoError(t, os.Truncate(filepath.Join(b.folder, "calc.go"), maxContent+1))
	b.settle()
	require.Equal(t, []string{
		"calc.go: ? -> s| (larger than 64 MB)",
		"fifo: none -> ? (a pipe, a socket or a device: such files are not kept)",
		"huge: none -> ? (larger than 64 MB)",
		`"h\xe9": none -> e| (its name is not UTF-8)`,
		"large.txt: ? -> s| (what it held before is not kept: it was larger than 1 MB and not in git)",
	}, b.told(b.bash(`echo s > large.txt; echo s > calc.go; mkfifo fifo; truncate -s 70M huge; echo e > $'h\xe9'`)))
	require.Nil(t, b.bash("echo x > fifo & cat fifo >/dev/null; wait"), "a pipe holds nothing")
}

func TestARepositoryInsideTheCheckoutIsOneLine(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	b.plain("git init -q lib; cd lib; echo 1 > a; git add a; git commit -qm a")
	b.settle()
	require.Nil(t, b.bash("true"))
	require.Equal(t, []string{"lib: ? -> ? (a git repository of its own: nobody looks into it)"}, b.told(b.bash("cd lib; echo 2 > b; git add b; git commit -qm b")))
	require.Equal(t, []string{"other: none -> ? (a git repository of its own: nobody looks into it)"}, b.told(b.bash("git init -q other; touch other/x; cd other; git add x")))
}

func TestLineEndsOfWindowsAndPointersOfLFSAreReadBackAsTheyStood(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:aa\nsize 3\n"
	b.write(".gitattributes", "*.crlf text eol=crlf\n*.bin filter=lfs diff=lfs merge=lfs -text\n*.id ident\n")
	b.write("pointer.bin", pointer)
	b.plain("printf 'a\\r\\nb\\r\\n' > w.crlf; echo '$Id$' > x.id; git add .; git commit -qm w; rm w.crlf x.id; git checkout -q .; touch -d '+1 minute' .git/index")
	past(t)
	b.settle()
	changed := b.bash("rm w.crlf; echo abc > pointer.bin; echo y > x.id")
	require.Equal(t, []string{"pointer.bin", "w.crlf", "x.id"}, []string{changed.Files[0].Path, changed.Files[1].Path, changed.Files[2].Path})
	require.Equal(t, strings.ReplaceAll(pointer, "\n", "|"), b.content(changed.Files[0].Before))
	require.Equal(t, "a\r|b\r|", b.content(changed.Files[1].Before))
	require.Equal(t, "what it held before is not what git holds of it", changed.Files[2].Uncovered)
	require.Empty(t, changed.Files[2].Before.Hash)
}

func TestWithoutTrustGitIsNotAskedAndWhatItHoldsIsKept(t *testing.T) {
	folder := gittest.Checkout(t)
	store := filestore.New(filepath.Join(t.TempDir(), "kept"))
	defer store.Close()
	set := NewSet(Options{Store: store})
	defer set.Close()
	w, done := set.Use(folder)
	defer done()
	b := &bench{T: t, folder: folder, store: store, watch: w}
	b.settle()
	require.Equal(t, []string{"README.md: # Calc||Adds numbers.| -> x|"}, b.told(b.bash("echo x > README.md")))
}

func TestGitThatCannotBeAskedLeavesTheFileUncovered(t *testing.T) {
	folder := gittest.Checkout(t)
	store := filestore.New(filepath.Join(t.TempDir(), "kept"))
	defer store.Close()
	trusted := true
	set := NewSet(Options{Store: store, Repository: func() (git.Repository, error) {
		if !trusted {
			return git.Repository{}, errors.New("git is not run")
		}
		return git.Repository{Checkout: git.Look(folder), Folder: folder, Launcher: &process.Launcher{}}, nil
	}})
	defer set.Close()
	w, done := set.Use(folder)
	defer done()
	b := &bench{T: t, folder: folder, store: store, watch: w}
	b.settle()
	trusted = false
	require.Equal(t, []string{"README.md: ? -> x| (git is not run)"}, b.told(b.bash("echo x > README.md")))
	require.Equal(t, []string{"README.md: x| -> y|"}, b.told(b.bash("echo y > README.md")))
}

func TestNothingIsKeptOfAFileThatARuleForbidsToRead(t *testing.T) {
	folder := gittest.Checkout(t)
	store := filestore.New(filepath.Join(t.TempDir(), "kept"))
	defer store.Close()
	set := NewSet(Options{Store: store, Readable: func(path string) error {
		if path == ".env" || path == "calc.go" {
			return errors.New("denied")
		}
		return nil
	}, Repository: func() (git.Repository, error) {
		return git.Repository{Checkout: git.Look(folder), Folder: folder, Launcher: &process.Launcher{}}, nil
	}})
	defer set.Close()
	w, done := set.Use(folder)
	defer done()
	b := &bench{T: t, folder: folder, store: store, watch: w}
	b.write(".env", "KEY=1\n")
	b.settle()
	require.Equal(t, []string{
		".env: ? -> ? (a rule forbids to read it, so it is not kept)",
		"calc.go: ? -> none (a rule forbids to read it, so it is not kept)",
	}, b.told(b.bash("echo KEY=2 > .env; rm calc.go")))
}

func TestWhatAFileToolWritesMeanwhileIsNotTheCommands(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	c := b.begin(t.Context())
	wrote := b.watch.Writing("deep/new.go")
	b.write("deep/new.go", "package deep\n")
	under := b.watch.Writing("calc.go")
	b.write("calc.go", "half")
	b.plain("echo x > README.md")
	hash, err := b.store.Keep([]byte("package deep\n"), "")
	require.NoError(t, err)
	wrote(hash)
	require.Equal(t, []string{"README.md: # Calc||Adds numbers.| -> x|"}, b.told(c.End(t.Context())))
	b.write("calc.go", "package calc\n")
	hash, err = b.store.Keep([]byte("package calc\n"), "")
	require.NoError(t, err)
	under(hash)
	require.Equal(t, []string{"calc.go: package calc| -> c|", "deep/new.go: package deep| -> d|"}, b.told(b.bash("echo c > calc.go; echo d > deep/new.go")))
}

func TestCommandsAtOnceNameEachOther(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	long := b.watch.Begin(t.Context(), "shell", "")
	b.plain("echo 1 > first")
	past(t)
	short := b.watch.Begin(t.Context(), "run", "call")
	b.plain("echo 2 > second")
	elsewhere := b.watch.Beside("worker")
	told := short.End(t.Context())
	elsewhere()
	require.Equal(t, []string{"second: none -> 2|"}, b.told(told))
	require.Equal(t, []lifecycle.RunID{"shell", "worker"}, told.Beside)
	told = long.End(t.Context())
	require.Equal(t, []string{"first: none -> 1|"}, b.told(told))
	require.Empty(t, told.Beside)
	require.Empty(t, told.Call)
}

func TestWhatAnotherProcessHasRecordedIsNotTheCommands(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	c := b.begin(t.Context())
	b.plain("echo x > README.md; rm calc.go")
	hash, err := b.store.Keep([]byte("x\n"), "")
	require.NoError(t, err)
	b.watch.Known(lifecycle.FilesChanged{Folder: b.folder, Files: []lifecycle.FileChange{
		{Path: "README.md", After: lifecycle.FileState{Kind: lifecycle.FileRegular, Hash: hash}}, {Path: "calc.go"},
	}})
	require.Nil(t, b.told(c.End(t.Context())))
}

func TestALinkThatAPersonLandedIsNotTheCommands(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	c := b.watch.Begin(t.Context(), "run", "call")
	done := b.watch.Writing("deep/link")
	b.plain("mkdir deep; ln -s ../calc.go deep/link")
	b.watch.Known(lifecycle.FilesChanged{Folder: b.folder, Files: []lifecycle.FileChange{{Path: "deep/link", After: lifecycle.FileState{Kind: lifecycle.FileLink}}}})
	done("")
	require.Nil(t, b.told(c.End(t.Context())))
	require.Equal(t, []string{"deep/link: @../calc.go -> @../README.md"}, b.told(b.bash("ln -sfn ../README.md deep/link")))
}

// As a walk is under way.
func TestWhatBecomesKnownAmidALookIsNotTheCommands(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	hash, err := b.store.Keep([]byte("x\n"), "")
	require.NoError(t, err)
	wrote := b.watch.Writing("README.md")
	require.True(t, b.watch.isWritten("README.md"))
	b.plain("echo x > README.md")
	wrote(hash)
	require.True(t, b.watch.isWritten("README.md"), "the walk has the table as it was before")
	require.Nil(t, b.told(b.bash("true")))
	require.False(t, b.watch.isWritten("README.md"))
}

func TestAClockThatIsSetBackHidesNothing(t *testing.T) {
	m := newMark()
	m.both = m.both.Add(time.Hour) // the wall clock read an hour more, the monotonic one as well
	m.both = m.both.Round(0)       // which then cannot be compared: both are the wall clock's
	require.Equal(t, m.files, m.now())
	require.GreaterOrEqual(t, newMark().now()+int64(time.Millisecond), fileNow()-tick)
}

func TestAFolderThatIsTooLargeIsNotWatchedAndSaysSo(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	b.watch.refreshed(errTooMany)
	require.Equal(t, "it has more than 200000 files", b.watch.Unwatched())
	require.Equal(t, &lifecycle.FilesChanged{Call: "call", By: lifecycle.ChangedByCommand, Folder: b.folder, Unwatched: "it has more than 200000 files"}, b.bash("true"))
}

func TestHowManyFilesAreTooManyDependsOnWhatTheSystemTells(t *testing.T) {
	for _, one := range []struct {
		files, unreported int64
		tells, asked      bool
		want              error
	}{
		{maxFiles + 1, 0, true, true, errTooMany},
		{maxFiles, maxUnreported, true, true, nil},
		{maxFiles, maxUnreported + 1, true, true, errTooManyUnreported},
		{maxFiles, maxFiles, true, false, nil}, // it will be asked with the first command
		{maxUnreported + 1, maxUnreported + 1, false, false, errTooManyUnreported},
	} {
		k := &walk{w: &Watch{tells: one.tells, asked: one.asked}, halted: func() error { return nil }}
		k.files.Store(one.files)
		k.unreported.Store(one.unreported)
		require.Equal(t, one.want != nil, k.stopped())
		require.Equal(t, one.want, k.err)
	}
}

func TestANewNameOfAFileLeadsToAllItsNames(t *testing.T) {
	inBothWays(t, func(t *testing.T, deaf bool) {
		b := watchedBy(t, gittest.Checkout(t), deaf)
		b.write("d/e/a", "1\n")
		b.settle()
		require.Nil(t, b.bash("true"))
		b.settle()
		require.Equal(t, []string{"d/e/a: 1| -> 2|", "f: none -> 2|"}, b.told(b.bash("ln d/e/a f; echo 2 > f")))
		require.Equal(t, []string{"d/e/a: 2| -> 3|", "f: 2| -> 3|"}, b.told(b.bash("echo 3 > f")))
	})
}

func TestAFolderThatIsGoneIsNotWatched(t *testing.T) {
	set := NewSet(Options{})
	defer set.Close()
	w, done := set.Use(filepath.Join(t.TempDir(), "none"))
	defer done()
	require.Contains(t, w.Unwatched(), "no such file or directory")
	require.NotEmpty(t, w.Begin(t.Context(), "run", "call").End(t.Context()).Unwatched)
}

func TestAStoppedCommandIsStillTold(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	b.write("notes.txt", "mine\n")
	b.settle()
	ctx, stop := context.WithCancel(t.Context())
	c := b.begin(ctx)
	b.plain("echo x > notes.txt")
	stop()
	require.Equal(t, []string{"notes.txt: mine| -> x|"}, b.told(c.End(ctx)), "which takes no program")
}

func TestAStopShortensTheLookAtTheFolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		halted, done := halt(ctx)
		defer done()
		deadline := time.Now().Add(time.Hour)
		<-time.After(time.Minute)
		require.NoError(t, halted(deadline))
		stop()
		synctest.Wait()
		require.NoError(t, halted(deadline))
		<-time.After(stoppedLimit + 1)
		require.ErrorIs(t, halted(deadline), errStopped)
	})
	w := &Watch{}
	w.refreshed(errStopped)
	require.Empty(t, w.Unwatched(), "the next command's look goes on from there")
}

func TestACommandThatWaitedForALookThatFailedTakesNoneItself(t *testing.T) {
	b := watched(t, gittest.Checkout(t))
	c := b.watch.Begin(t.Context(), "run", "call")
	b.watch.turn.Lock()
	b.watch.refreshed(errTooSlow)
	b.watch.turn.Unlock()
	b.plain("echo x > README.md")
	require.Equal(t, &lifecycle.FilesChanged{Call: "call", By: lifecycle.ChangedByCommand, Folder: b.watch.Folder(), Unwatched: errTooSlow.Error()}, c.End(t.Context()))
}
