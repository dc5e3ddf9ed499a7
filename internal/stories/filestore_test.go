package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// changedIn are the folders in which files were changed, by their paths, as an export has them.
func changedIn(t *testing.T, s *harness.Stage, session string) map[string]string {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, "export", session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	var doc struct {
		Records []struct {
			Event string
			Data  struct {
				Call, By, Folder string
				Files            []struct {
					Path, Uncovered string
					After           struct{ Hash string }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	folders := map[string]string{}
	for _, rec := range doc.Records {
		if rec.Event != "files_changed" {
			continue
		}
		require.NotEmpty(t, rec.Data.Call)
		require.Equal(t, "tool", rec.Data.By)
		for _, file := range rec.Data.Files {
			require.Len(t, file.After.Hash, 64)
			require.Empty(t, file.Uncovered)
			folders[file.Path] = rec.Data.Folder
		}
	}
	return folders
}

func TestEverySubagentsChangesAreRecordedAndTheirFilesKeptUntilTheSessionIsDeleted(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		write := func(name string) modeltest.Call {
			return modeltest.Use("write", modeltest.Object{"path": name, "content": "of " + name + "\n"})
		}
		for _, name := range []string{"process", "tree", "here"} {
			switch {
			case h.Child("make "+name) && h.Answered("write"):
				return modeltest.Say("It is made.")
			case h.Child("make " + name):
				return modeltest.Do(write(name + ".txt"))
			}
		}
		if h.Answered("write") || h.Asked("look") {
			return modeltest.Say("That was all.")
		}
		return modeltest.Do(write("own.txt"), modeltest.Isolated("in a process", "make process", false),
			apart("in a worktree", "make tree", false), modeltest.Delegate("in this one", "make here"))
	})
	files := filepath.Join(s.Home, "data", "files")
	still, errs, code := s.Prompted(t, "-p", "look")
	require.Equal(t, 0, code, errs)
	require.NoDirExists(t, files, "a session that changes nothing, and has nothing to keep: %s", still.Session)
	gone, foreign := filepath.Join(files, uuid.NewString()), filepath.Join(files, "notes")
	for _, folder := range []string{gone, foreign} {
		require.NoError(t, os.MkdirAll(folder, 0o700))
	}
	r := requireDone(t, s, "--trust")
	require.NoDirExists(t, gone, "what a deleted session has left is swept")
	require.DirExists(t, foreign)
	folders := changedIn(t, s, r.Session)
	require.Len(t, folders, 4)
	tree := folders["tree.txt"]
	require.Contains(t, tree, filepath.Join(s.Home, "data", "worktrees"))
	require.Equal(t, map[string]string{"own.txt": s.Dir, "process.txt": s.Dir, "here.txt": s.Dir, "tree.txt": tree}, folders)
	own := filepath.Join(files, r.Session)
	require.FileExists(t, filepath.Join(own, "pack"))
	announced, err := os.ReadDir(filepath.Join(own, "intents"))
	require.NoError(t, err)
	require.Empty(t, announced)

	_, errs, code = harness.Run(t, s.Dir, s.Env, "rm", r.Session)
	require.Equal(t, 0, code, errs)
	require.NoDirExists(t, own)
}
