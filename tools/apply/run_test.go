package apply

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

func recordsNothing(context.Context) error { return nil }

// after is what a tree is once someSet is applied.
func after(before map[string]lifecycle.FileState) map[string]lifecycle.FileState {
	all := map[string]lifecycle.FileState{}
	for path, state := range before {
		all[path] = state
	}
	for _, file := range someSet("").Files {
		all[file.Path] = file.Want
	}
	delete(all, "emptied/last")
	delete(all, "emptied/")
	all["made/"], all["made/of/"] = lifecycle.FileState{Mode: 0o755}, lifecycle.FileState{Mode: 0o755}
	return all
}

func TestAllFilesArePutInPlace(t *testing.T) {
	s, store := newScene(t)
	before := tree(t, s.folder)
	changed, err := Run(t.Context(), s.journal, store, someSet(s.folder), recordsNothing)
	require.NoError(t, err)
	require.Len(t, changed, 5)
	require.Equal(t, after(before), tree(t, s.folder))
	require.NoDirExists(t, s.journal)
	last, err := store.Read(regularFile("last", 0).Hash)
	require.NoError(t, err, "what was replaced is kept")
	require.Equal(t, "last", string(last))
}

func TestAProcessThatIsKilledAtAnyStepLeavesTheFolderAsBeforeOrAsAfter(t *testing.T) {
	kept, whole := 0, 0
	for step := 1; ; step++ {
		s, store := newScene(t)
		before := tree(t, s.folder)
		cmd := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // itself
		cmd.Env = append(os.Environ(), "PAWL_APPLY_TEST_DIR="+s.at, "PAWL_APPLY_TEST_STEP="+strconv.Itoa(step))
		out, err := cmd.CombinedOutput()
		if err == nil {
			break // there is no such step
		}
		require.Equal(t, syscall.SIGKILL, cmd.ProcessState.Sys().(syscall.WaitStatus).Signal(), "%s", out)
		_, pending := s.pending()
		require.True(t, pending)
		undone, err := Recover(t.Context(), s.journal, store, s.recorded)
		require.NoError(t, err)
		if undone {
			kept++
			require.Equal(t, before, tree(t, s.folder), "killed at step %d", step)
		} else {
			whole++
			require.Equal(t, after(before), tree(t, s.folder), "killed at step %d", step)
		}
		require.NoDirExists(t, s.journal)
	}
	require.Equal(t, 8, kept, "the journal, half of the files beside their places, 5 in place, the record")
	require.Equal(t, 1, whole)
}

func (s scene) pending() (lifecycle.OperationID, bool) {
	_, operation, pending := Pending(s.journal)
	return operation, pending
}

func TestARecordThatFailsLeavesEverythingAsItWas(t *testing.T) {
	s, store := newScene(t)
	before := tree(t, s.folder)
	_, err := Run(t.Context(), s.journal, store, someSet(s.folder), func(context.Context) error { return errors.New("a subagent is at work") })
	require.EqualError(t, err, "a subagent is at work")
	require.Equal(t, before, tree(t, s.folder))
	require.NoDirExists(t, s.journal)
}

func TestAFileThatIsNotWhatIsExpectedIsNamedAndNothingIsChanged(t *testing.T) {
	for name, row := range map[string]struct {
		do  func(t *testing.T, folder string)
		why string
	}{
		"changed":     {func(t *testing.T, f string) { put(t, f, "changed", regularFile("", 0o644), "mine") }, "changed: it holds something else now"},
		"gone":        {func(t *testing.T, f string) { require.NoError(t, os.Remove(filepath.Join(f, "changed"))) }, "changed: it is gone"},
		"read-only":   {func(t *testing.T, f string) { require.NoError(t, os.Chmod(filepath.Join(f, "changed"), 0o444)) }, "changed: its permissions are -r--r--r-- now"},
		"there":       {func(t *testing.T, f string) { put(t, f, "made/of/new", regularFile("", 0o644), "mine") }, "made/of/new: it is there again"},
		"a folder":    {func(t *testing.T, f string) { put(t, f, "made/of/new/x", regularFile("", 0o644), "mine") }, "made/of/new: it is a folder now"},
		"a link away": {func(t *testing.T, f string) { put(t, f, "made", linkTo(""), os.TempDir()) }, "made/of/new: made is a symbolic link, not a folder"},
		"a pipe": {func(t *testing.T, f string) {
			require.NoError(t, os.Remove(filepath.Join(f, "changed")))
			require.NoError(t, syscall.Mkfifo(filepath.Join(f, "changed"), 0o600))
		}, "changed: it is a named pipe"},
	} {
		t.Run(name, func(t *testing.T) {
			s, store := newScene(t)
			row.do(t, s.folder)
			if name == "a pipe" {
				_, err := Run(t.Context(), s.journal, store, someSet(s.folder), recordsNothing)
				require.EqualError(t, err, "nothing was changed: "+row.why)
				return
			}
			before := tree(t, s.folder)
			_, err := Run(t.Context(), s.journal, store, someSet(s.folder), recordsNothing)
			require.EqualError(t, err, "nothing was changed: "+row.why)
			require.Equal(t, before, tree(t, s.folder))
			require.NoDirExists(t, s.journal)
		})
	}
}

func TestAFileThatChangesAtTheLastMomentTakesEverythingBack(t *testing.T) {
	s, store := newScene(t)
	before := tree(t, s.folder)
	placed := 0
	reach = func(step string) {
		if step != "apply.file" {
			return
		}
		if placed++; placed == 2 {
			put(t, s.folder, "script", regularFile("", 0o644), "a person's")
		}
	}
	defer func() { reach = func(string) {} }()
	_, err := Run(t.Context(), s.journal, store, someSet(s.folder), recordsNothing)
	require.EqualError(t, err, "script: it was changed by another program just now: read it again; left as they are, because somebody else has changed them meanwhile: script")
	before["script"] = regularFile("a person's", 0o644)
	require.Equal(t, before, tree(t, s.folder))
}

func TestAFolderThatCannotBeWrittenLeavesEverythingAsItWas(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("for root there is no such folder")
	}
	s, store := newScene(t)
	sealed := filepath.Join(s.folder, "emptied")
	require.NoError(t, os.Chmod(sealed, 0o500))
	defer os.Chmod(sealed, 0o700) //nolint:errcheck // for the end of the test
	before := tree(t, s.folder)
	_, err := Run(t.Context(), s.journal, store, someSet(s.folder), recordsNothing)
	require.EqualError(t, err, "nothing was changed: emptied/last: permission denied")
	require.Equal(t, before, tree(t, s.folder))
}

func TestAReadOnlyFileIsNotOverwritten(t *testing.T) {
	s, store := newScene(t)
	put(t, s.folder, "changed", regularFile("old", 0o444), "old")
	before := tree(t, s.folder)
	set := Set{Operation: "o1", Folder: s.folder, Files: []File{
		{"changed", regularFile("old", 0o444), regularFile("new", 0o444)},
		{"script", regularFile("run", 0o644), regularFile("run", 0o755)},
	}}
	_, err := Run(t.Context(), s.journal, store, set, recordsNothing)
	require.EqualError(t, err, "nothing was changed: changed: it is read-only")
	require.Equal(t, before, tree(t, s.folder))
}

func TestManyFilesAreInPlaceWithinASecond(t *testing.T) {
	s, store := newScene(t)
	set := Set{Operation: "o1", Folder: s.folder}
	for i := range 500 {
		set.Files = append(set.Files, File{fmt.Sprintf("many/%d/%d", i%20, i), lifecycle.FileState{}, regularFile("fresh", 0o644)})
	}
	begun := time.Now()
	_, err := Run(t.Context(), s.journal, store, set, recordsNothing)
	require.NoError(t, err)
	t.Logf("500 files in %s", time.Since(begun))
	require.Less(t, time.Since(begun), 5*time.Second, "on a machine that others use too")
	require.Len(t, filesOf(tree(t, s.folder)), 505)
}

func TestAFolderTakesTheNameOfAFileAndBack(t *testing.T) {
	s, store := newScene(t)
	set := Set{Operation: "o1", Folder: s.folder, Files: []File{
		{"changed", regularFile("old", 0o644), lifecycle.FileState{}},
		{"changed/below", lifecycle.FileState{}, regularFile("fresh", 0o644)},
	}}
	before := tree(t, s.folder)
	_, err := Run(t.Context(), s.journal, store, set, recordsNothing)
	require.NoError(t, err)
	require.Equal(t, regularFile("fresh", 0o644), tree(t, s.folder)["changed/below"])
	for i, file := range set.Files {
		set.Files[i] = File{file.Path, file.Want, file.Expect}
	}
	_, err = Run(t.Context(), s.journal, store, set, recordsNothing)
	require.NoError(t, err)
	require.Equal(t, before, tree(t, s.folder))
}

func TestWhatAPersonDidMeanwhileIsLeftByRecover(t *testing.T) {
	s, store := newScene(t)
	before := tree(t, s.folder)
	kill(t, "apply.record", func() {
		_, _ = Run(t.Context(), s.journal, store, someSet(s.folder), recordsNothing)
	})
	put(t, s.folder, "changed", regularFile("", 0o644), "a person's")
	_, err := Run(t.Context(), s.journal, store, someSet(s.folder), recordsNothing)
	require.ErrorContains(t, err, "was cut off")
	undone, err := Recover(t.Context(), s.journal, store, s.recorded)
	require.True(t, undone)
	require.EqualError(t, err, "left as they are, because somebody else has changed them meanwhile: changed")
	before["changed"] = regularFile("a person's", 0o644)
	require.Equal(t, before, tree(t, s.folder))
	undone, err = Recover(t.Context(), s.journal, store, s.recorded)
	require.NoError(t, err)
	require.False(t, undone)
}

// kill ends do at a step, as the end of the process would.
func kill(t fataler, at string, do func()) {
	killed := false
	reach = func(step string) {
		if step == at {
			killed = true
			panic("killed")
		}
	}
	defer func() {
		reach = func(string) {}
		if recover() == nil || !killed {
			require.Fail(t, "was not killed at "+at)
		}
	}()
	do()
}

// fullDisk has no room from a read on. What is read is what is about to be written.
type fullDisk struct {
	Contents
	left atomic.Int32
}

func (f *fullDisk) Read(hash string) ([]byte, error) {
	if f.left.Add(-1) < 0 {
		return nil, syscall.ENOSPC
	}
	return f.Contents.Read(hash)
}

func TestADiskThatIsFullInTheMiddleLeavesEverythingAsItWas(t *testing.T) {
	s, store := newScene(t)
	before := tree(t, s.folder)
	full := &fullDisk{Contents: store}
	full.left.Store(6) // four to find out that they are there, and two of the four that are written
	_, err := Run(t.Context(), s.journal, full, someSet(s.folder), recordsNothing)
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.Regexp(t, "^nothing was changed: [a-z/]+: no space left on device$", err.Error())
	require.Equal(t, before, tree(t, s.folder))
	require.NoDirExists(t, s.journal)
}
