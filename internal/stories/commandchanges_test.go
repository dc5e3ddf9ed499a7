package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// changedBy are the files that were changed by tools or by commands, as an export has them: who, what
// stood there before, and why it is not covered.
func changedBy(t *testing.T, s *harness.Stage, session string) (lines []string) {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, "export", session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	var doc struct {
		Records []struct {
			Event string
			Data  struct {
				By, Folder, Unwatched string
				Files                 []struct {
					Path, Uncovered string
					Before          struct{ Kind, Hash string }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &doc))
	for _, rec := range doc.Records {
		require.Empty(t, rec.Data.Unwatched)
		if rec.Event != "files_changed" {
			continue
		}
		for _, file := range rec.Data.Files {
			require.Equal(t, file.Before.Kind != "", file.Before.Hash != "", file.Path)
			require.Empty(t, file.Uncovered)
			line := rec.Data.By + " " + file.Path
			if file.Before.Kind != "" {
				line += ", which stood there"
			}
			if rec.Data.Folder != s.Dir {
				line += ", elsewhere"
			}
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}

func TestWhatEveryonesCommandsChangeIsRecordedWithWhatStoodThereBefore(t *testing.T) {
	t.Parallel()
	shell := func(line string) modeltest.Call { return modeltest.Use("shell", modeltest.Object{"command": line}) }
	steps := []modeltest.Reply{ // of the parent, one after the other
		modeltest.Do(shell("cat calc.go"), modeltest.Use("write", modeltest.Object{"path": "own.txt", "content": "x\n"}),
			shell("sed -i s/x/y/ own.txt; rm README.md; echo log > x.log")),
		modeltest.Do(modeltest.Isolated("in a process", "make process", false)),
		modeltest.Do(apart("in a worktree", "make tree", false)),
		modeltest.Do(modeltest.Delegate("in this one", "make here")),
		modeltest.Do(behind("the build", "echo built > built.txt")),
	}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		for _, name := range []string{"process", "tree", "here"} {
			switch {
			case h.Child("make "+name) && h.Answered("shell"):
				return modeltest.Say("It is made.")
			case h.Child("make " + name):
				return modeltest.Do(shell("echo '// " + name + "' >> calc.go; echo new > " + name + ".txt"))
			}
		}
		switch {
		case len(steps) == 0 && h.Answered("shell_output"):
			return modeltest.Say("That was all.")
		case len(steps) == 0:
			return modeltest.Do(modeltest.Use("shell_output", modeltest.Object{"shell_id": shellOf(h), "wait_ms": 30000}))
		}
		next := steps[0]
		steps = steps[1:]
		return next
	})
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, ".gitignore"), []byte("*.log\n"), 0o600))
	r := requireDone(t, s, "--trust", "--permission-mode", "bypass")
	require.Equal(t, []string{
		"command README.md, which stood there",
		"command built.txt",
		"command calc.go, which stood there",
		"command calc.go, which stood there",
		"command calc.go, which stood there, elsewhere",
		"command here.txt",
		"command own.txt, which stood there",
		"command process.txt",
		"command tree.txt, elsewhere",
		"tool own.txt",
	}, changedBy(t, s, r.Session))
}
