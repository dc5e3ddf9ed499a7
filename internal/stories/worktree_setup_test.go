package stories

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// oneApart is a stage on which the parent starts one subagent in a worktree.
func oneApart(t *testing.T, child func(h modeltest.Request) modeltest.Reply) *harness.Stage {
	t.Helper()
	return harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("build"):
			return child(h)
		case h.Answered("agent"):
			return modeltest.Say("Done.")
		}
		return modeltest.Do(apart("builder", "build it", false))
	})
}

// What is not committed, staged too, and the ignored files that are listed are in the worktree when
// the setup runs there, and that has run when the subagent reads.
func TestAWorktreeCanBeginWithWhatABuildNeeds(t *testing.T) {
	t.Parallel()
	s := oneApart(t, func(h modeltest.Request) modeltest.Reply {
		if h.Answered("read") {
			return modeltest.Say("It says " + h.ResultsOf("read")[0])
		}
		return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "out/built.txt"}))
	})
	for name, text := range map[string]string{".gitignore": "out\n.env\n", ".worktreeinclude": ".env\n", ".env": "KEY=of-the-folder\n", "draft.txt": "the draft\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(s.Dir, name), []byte(text), 0o600))
	}
	gitAt(t, s.Dir, "add", "draft.txt")
	s.Env = append(s.Env, "PAWL_WORKTREE_BASE=dirty", "PAWL_WORKTREE_SETUP=mkdir out && cat draft.txt .env > out/built.txt")
	_, errs, code := s.Prompted(t, "-p", "have it built")
	require.Equal(t, 0, code, errs)
	heard := s.Server.Await(t, modeltest.ParentTold("agent"))
	require.Contains(t, heard.ResultsOf("agent")[0], "the draft")
	require.Contains(t, heard.ResultsOf("agent")[0], "KEY=of-the-folder")
	told := worktreesTold(t, heard)[`"builder"`]
	require.False(t, told.Worktree.Kept, "it changed nothing of what it began with")
	require.Equal(t, 0, told.Worktree.Behind)
	require.Contains(t, gitAt(t, s.Dir, "diff", "--cached", "--name-only"), "draft.txt")
}

func TestInPlanModeNoSetupRuns(t *testing.T) {
	t.Parallel()
	s := oneApart(t, func(modeltest.Request) modeltest.Reply { return modeltest.Say("never asked") })
	s.Env = append(s.Env, "PAWL_WORKTREE_SETUP=touch "+filepath.Join(s.Home, "ran"))
	_, errs, code := s.Prompted(t, "-p", "--permission-mode", "plan", "have it built")
	require.Equal(t, 3, code, errs)
	told := s.Server.Await(t, modeltest.ParentTold("agent")).ResultsOf("agent")[0]
	require.Contains(t, told, "is not run in plan mode, which only reads: send this subagent without a worktree, or later")
	require.NoFileExists(t, filepath.Join(s.Home, "ran"))
}

func TestASetupThatFailsEndsTheRunAndTellsTheParentWhy(t *testing.T) {
	t.Parallel()
	s := oneApart(t, func(modeltest.Request) modeltest.Reply { return modeltest.Say("never asked") })
	s.Env = append(s.Env, "PAWL_WORKTREE_SETUP=echo no such package >&2; exit 7")
	_, errs, code := s.Prompted(t, "-p", "have it built")
	require.Equal(t, 3, code, errs)
	told := s.Server.Await(t, modeltest.ParentTold("agent")).ResultsOf("agent")[0]
	require.Contains(t, told, "failed with exit code 7, so the subagent was not started; it ended with: no such package")
	require.Empty(t, keptTrees(t, s, 0), "nothing of it is left")
}
