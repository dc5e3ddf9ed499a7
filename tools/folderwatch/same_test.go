//go:build linux

package folderwatch

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"pawl/internal/gittest"
)

// Whatever is done in a folder, and whatever the kernel fails to tell of it: with what it tells the
// answer is the same as with a look at everything.
func TestWhatTheKernelTellsLeadsToTheSameAnswerAsALookAtEverything(t *testing.T) {
	acts := maps.Clone(acts)
	acts["rules"] = func(top, one, _, _ string) {
		_ = os.WriteFile(filepath.Join(top, ".gitignore"), []byte("out\nout.tmp\n/"+one+"\n"), 0o644)
	}
	acts["rules below"] = func(top, one, other, _ string) {
		_ = os.WriteFile(filepath.Join(top, one, ".gitignore"), []byte(filepath.Base(other)+"\n"), 0o644)
	}
	acts["repository"] = func(top, one, _, text string) {
		_ = os.Mkdir(filepath.Join(top, one, ".git"), 0o755)
		_ = os.WriteFile(filepath.Join(top, one, ".git/index"), []byte(text), 0o644)
	}
	acts["no repository"] = func(top, one, _, _ string) { _ = os.RemoveAll(filepath.Join(top, one, ".git")) }
	acts["held"] = func(top, one, other, text string) { // written by a file that was open while it was moved
		f, err := os.OpenFile(filepath.Join(top, one), os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer f.Close()
		_ = os.Rename(filepath.Join(top, filepath.Dir(one)), filepath.Join(top, other))
		_, _ = f.WriteString(text)
	}
	needsEvents(t)
	rapid.Check(t, func(r *rapid.T) {
		folder := gittest.Checkout(t)
		told, all := watchedBy(t, folder, false), watchedBy(t, folder, true)
		defer told.end()
		defer all.end()
		told.write(".gitignore", "out\nout.tmp\n")
		for range rapid.IntRange(1, 5).Draw(r, "commands") {
			settled := rapid.Bool().Draw(r, "settled")
			if !settled {
				told.settle()
				all.settle()
			}
			actOf(r, acts, folder, "others", told.watch)
			if settled {
				told.settle()
				all.settle()
			}
			past(t)
			if !settled { // what was looked at by then would be chance
				rest(told.watch)
				rest(all.watch)
			}
			one, other := told.begin(t.Context()), all.begin(t.Context())
			actOf(r, acts, folder, "command", told.watch)
			most := rapid.IntRange(0, 5).Draw(r, "most")
			switch rapid.IntRange(0, 9).Draw(r, "fault") {
			case 0:
				miss(told.watch)
			case 1:
				overflow(told.watch)
			case 2:
				told.watch.turn.Lock()
				if told.watch.events != nil { // it is asked to tell when the first command begins, or ends
					told.watch.events.most = int64(most)
				}
				told.watch.turn.Unlock()
			}
			require.Equal(r, other.End(t.Context()), one.End(t.Context()))
			require.NotNil(r, told.watch.events)
			require.Equal(r, table(all.watch), table(told.watch))
		}
	})
}

// needsEvents skips a test where the kernel does not tell what is changed in temporary folders.
func needsEvents(t *testing.T) {
	t.Helper()
	e := newEvents(t.TempDir(), &budget{})
	defer e.close()
	if e == nil || !isTold(t.TempDir()) {
		t.Skip("the kernel does not tell of changes in temporary folders here")
	}
}

// rest keeps a watch from looking at the folder before its next command has ended.
func rest(w *Watch) {
	w.background.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looked = time.Now().Add(time.Hour)
}

// overflow has the kernel tell of more than its queue holds.
func overflow(w *Watch) {
	for i := range allowed("max_queued_events") {
		at := []string{w.folder, filepath.Join(w.folder, ".git")}[i%2]
		_ = os.Chmod(at, 0o755) // the same twice in a row would be told once
	}
}

// table is what a watch has of a folder.
func table(w *Watch) map[string]stamp {
	w.background.Wait()
	w.turn.Lock()
	defer w.turn.Unlock()
	all := map[string]stamp{}
	w.top.each(func(in *folder, one *file) { all[in.at(one.name)] = one.stamp })
	return all
}

func TestALookAfterACommandIsOnlyWhereTheKernelToldOfChanges(t *testing.T) {
	needsEvents(t)
	b := watched(t, gittest.Checkout(t))
	for i := range 20 {
		b.write(fmt.Sprintf("d%d/e/f", i), "x")
	}
	b.settle()
	require.Nil(t, b.bash("true"))
	b.settle()
	c := b.watch.Begin(t.Context(), "run", "call")
	b.watch.background.Wait()
	b.write("d7/e/f", "y")
	b.watch.turn.Lock()
	require.False(t, b.watch.listen())
	require.True(t, b.watch.top.seek())
	var due []string
	for _, d := range b.watch.top.folders {
		if d.inner {
			due = append(due, d.name)
		}
	}
	b.watch.turn.Unlock()
	require.Equal(t, []string{"d7"}, due)
	require.Equal(t, []string{"d7/e/f: x -> y"}, b.told(c.End(t.Context())))
}

func TestWhenTheKernelToldMoreThanItsQueueHoldsAllIsLookedAt(t *testing.T) {
	needsEvents(t)
	b := watched(t, gittest.Checkout(t))
	require.Nil(t, b.bash("true"))
	c := b.watch.Begin(t.Context(), "run", "call")
	b.watch.background.Wait()
	overflow(b.watch)
	b.write("d/e/f", "x")
	b.watch.turn.Lock()
	require.True(t, b.watch.listen())
	b.watch.turn.Unlock()
	require.Equal(t, []string{"d/e/f: none -> x"}, b.told(c.End(t.Context())))
	b.watch.turn.Lock()
	require.False(t, b.watch.listen())
	b.watch.turn.Unlock()
}

func TestOfManyFoldersTheKernelIsAskedToTellOfSome(t *testing.T) {
	needsEvents(t)
	b := watched(t, gittest.Checkout(t))
	require.Nil(t, b.bash("true"))
	b.watch.turn.Lock()
	b.watch.events.most = 3
	b.watch.turn.Unlock()
	for i := range 20 {
		b.write(fmt.Sprintf("d%d/f", i), "x")
	}
	b.settle()
	require.EqualValues(t, 3, b.watch.budget.told.Load())
	var want []string
	for i := range 20 {
		want = append(want, fmt.Sprintf("d%d/f: x -> y|", i))
	}
	slices.Sort(want)
	require.Equal(t, want, b.told(b.bash("for i in d*; do echo y > $i/f; done")))
	b.plain("rm -r d*")
	b.settle()
	require.EqualValues(t, 1, b.watch.budget.told.Load(), "those that are gone give way")
}

func TestWhatTheKernelKeepsForAFolderIsGivenBack(t *testing.T) {
	needsEvents(t)
	set := NewSet(Options{})
	defer set.Close()
	for range 3 * allowed("max_user_instances") / partOfQueues {
		w, done := set.Use(t.TempDir())
		<-w.ready
		w.Begin(t.Context(), "run", "call").End(t.Context())
		require.NotNil(t, w.events)
		done()
	}
	require.Zero(t, set.budget.queues.Load())
	require.Zero(t, set.budget.told.Load())
}

// A map of memory keeps its file open: when it is undone, also by the end of its process, the kernel
// tells that a file was closed that was open for writing.
func TestWhatIsWrittenThroughAMapOfMemoryIsToldWhenThatIsUndone(t *testing.T) {
	needsEvents(t)
	b := watched(t, gittest.Checkout(t))
	b.write("d/mapped", "before")
	b.settle()
	require.Nil(t, b.bash("true"))
	f, err := os.OpenFile(filepath.Join(b.folder, "d/mapped"), os.O_RDWR, 0)
	require.NoError(t, err)
	memory, err := unix.Mmap(int(f.Fd()), 0, 6, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	b.settle()
	past(t)
	c := b.watch.Begin(t.Context(), "run", "call")
	b.watch.background.Wait()
	copy(memory, "behind")
	require.NoError(t, unix.Munmap(memory))
	b.watch.turn.Lock()
	require.False(t, b.watch.listen())
	b.watch.turn.Unlock()
	require.Equal(t, []string{"d/mapped: before -> behind"}, b.told(c.End(t.Context())))
}
