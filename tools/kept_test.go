package tools

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/agent"
	"pawl/lifecycle"
	"pawl/tools/filestore"
	"pawl/tools/workspace"
)

// plantKept is plant with a file store beside the folder.
func plantKept(t *testing.T, archive string) *workspace.Workspace {
	t.Helper()
	w := plant(t, archive)
	w.Files = filestore.New(filepath.Join(t.TempDir(), "files", "session"))
	t.Cleanup(func() { require.NoError(t, w.Files.Close()) })
	return w
}

// stateOf is a file as it stands in a folder.
func stateOf(t *testing.T, w *workspace.Workspace, name string) lifecycle.FileState {
	t.Helper()
	info, err := os.Stat(filepath.Join(w.Folder(), name))
	require.NoError(t, err)
	return lifecycle.FileState{
		Kind: lifecycle.FileRegular, Hash: filestore.Hash([]byte(held(t, w, name))), Size: info.Size(), Mode: uint32(info.Mode().Perm()),
	}
}

func requireKept(t *testing.T, w *workspace.Workspace, contents ...string) {
	t.Helper()
	for _, want := range contents {
		kept, err := w.Files.Read(filestore.Hash([]byte(want)))
		require.NoError(t, err)
		require.Equal(t, want, string(kept))
	}
}

func TestAChangeOfAFileSaysWhatItHeldBeforeAndAfterAndBothAreKept(t *testing.T) {
	w := plantKept(t, "-- sub/a.sh --\necho old\n")
	require.NoError(t, os.Chmod(filepath.Join(w.Folder(), "sub/a.sh"), 0o750))
	require.NoError(t, os.Symlink("sub/a.sh", filepath.Join(w.Folder(), "link")))
	done(t, Read(w), args{"path": "link"})
	before := stateOf(t, w, "sub/a.sh")
	raw, err := json.Marshal(args{"path": "link", "edits": []args{{"old": "old", "new": "new"}}})
	require.NoError(t, err)
	result := Edit(w).Run(t.Context(), agent.Invocation{Run: "r1", Call: "c1", Input: raw})
	require.False(t, result.IsError, result.Text)
	require.NotContains(t, result.Text, "not kept")
	require.Equal(t, &lifecycle.FilesChanged{
		Call: "c1", By: lifecycle.ChangedByTool, Folder: w.Folder(),
		Files: []lifecycle.FileChange{{Path: "sub/a.sh", Before: before, After: stateOf(t, w, "sub/a.sh")}},
	}, result.Files)
	requireKept(t, w, "echo old\n", "echo new\n")

	announced, err := w.Files.Announced()
	require.NoError(t, err)
	require.Len(t, announced, 1, "until it stands in the log")
	require.Equal(t, lifecycle.RunID("r1"), announced[0].Run)
	meant := *result.Files
	meant.Files = slices.Clone(meant.Files)
	meant.Files[0].After.Mode = 0 // not known yet
	require.Equal(t, meant, announced[0].Changed)
	result.OnRecorded()
	announced, err = w.Files.Announced()
	require.NoError(t, err)
	require.Empty(t, announced)
}

func TestANewFileHadNothingBefore(t *testing.T) {
	w := plantKept(t, "")
	result := done(t, Write(w), args{"path": "a/new.txt", "content": "one\n"})
	require.Equal(t, []lifecycle.FileChange{{Path: "a/new.txt", After: stateOf(t, w, "a/new.txt")}}, result.Files.Files)
	requireKept(t, w, "one\n")
}

func TestAWriteOfWhatIsThereIsNoChange(t *testing.T) {
	w := plantKept(t, "-- a.txt --\nsame\n")
	done(t, Read(w), args{"path": "a.txt"})
	result := done(t, Write(w), args{"path": "a.txt", "content": "same\n"})
	require.Nil(t, result.Files)
	require.Nil(t, result.OnRecorded)
	require.NoDirExists(t, w.Files.Folder())
}

func TestARefusedChangeLeavesNoNoteOfItself(t *testing.T) {
	w := plantKept(t, "-- a.txt --\nold\n")
	require.Nil(t, use(t, Write(w), args{"path": "a.txt", "content": "unread\n"}).Files)
	done(t, Read(w), args{"path": "a.txt"})
	require.NoError(t, os.Chmod(w.Folder(), 0o500))
	t.Cleanup(func() { _ = os.Chmod(w.Folder(), 0o700) })
	if file, err := os.Create(filepath.Join(w.Folder(), "try")); err == nil {
		file.Close()
		t.Skip("this user writes in any folder")
	}
	require.True(t, use(t, Write(w), args{"path": "a.txt", "content": "new\n"}).IsError)
	announced, err := w.Files.Announced()
	require.NoError(t, err)
	require.Empty(t, announced)
}

// What cannot be kept is no reason not to work; but nobody is to believe that it can come back.
func TestAChangeWhoseBeforeCannotBeKeptIsMadeAndSaysSo(t *testing.T) {
	w := plantKept(t, "-- a.txt --\nold\n")
	// The folder of the session cannot be made.
	require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Dir(w.Files.Folder())), 0o700))
	require.NoError(t, os.WriteFile(filepath.Dir(w.Files.Folder()), nil, 0o600))
	done(t, Read(w), args{"path": "a.txt"})
	result := done(t, Write(w), args{"path": "a.txt", "content": "new\n"})
	require.Equal(t, "Replaced all of a.txt: 1 line, 4 B now (+1 -1 lines). What it replaced is not kept: not a directory.", result.Text)
	require.Equal(t, "new\n", held(t, w, "a.txt"))
	require.Len(t, result.Files.Files, 1)
	require.Equal(t, "not a directory", result.Files.Files[0].Uncovered)
	require.Equal(t, filestore.Hash([]byte("old\n")), result.Files.Files[0].Before.Hash)
	require.Empty(t, done(t, Write(w), args{"path": "b.txt", "content": "new\n"}).Files.Files[0].Uncovered, "it replaced nothing")
}

// BenchmarkWrite replaces a file of 100 KB, of which a line changes, with and without a file store.
func BenchmarkWrite(b *testing.B) {
	for _, kept := range []bool{false, true} {
		b.Run(fmt.Sprintf("kept=%v", kept), func(b *testing.B) {
			w, err := workspace.Open(b.TempDir())
			require.NoError(b, err)
			defer w.Close()
			if kept {
				w.Files = filestore.New(filepath.Join(b.TempDir(), "session"))
				defer w.Files.Close()
			}
			text := strings.Repeat("a line of a file that is as long as lines are\n", 100_000/46)
			write := Write(w)
			for i := 0; b.Loop(); i++ {
				raw, err := json.Marshal(args{"path": "a.txt", "content": text[:50_000] + fmt.Sprintf("%010d", i) + text[50_010:]})
				require.NoError(b, err)
				result := write.Run(b.Context(), agent.Invocation{Run: "r", Call: lifecycle.NewCallID(), Input: raw})
				require.False(b, result.IsError, result.Text)
				if result.OnRecorded != nil {
					result.OnRecorded()
				}
			}
		})
	}
}
