package stories

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// leftTree makes a worktree in which a subagent has left a new file and a changed one, none committed.
func leftTree(t *testing.T, s *harness.Stage) listedTree {
	t.Helper()
	_, errs, code := s.Prompted(t, "--permission-mode", "accept-edits", "-p", "send one")
	require.Equal(t, 0, code, errs)
	rows := treesOf(t, s)
	require.Len(t, rows, 1)
	require.Equal(t, []string{"calc.go", "made/new.go"}, rows[0].Unsaved)
	return rows[0]
}

// leaver is a model whose subagent writes and commits nothing.
func leaver(h modeltest.Request) modeltest.Reply {
	switch {
	case h.Child("make") && h.Answered("write"):
		return modeltest.Say("Made it.")
	case h.Child("make") && h.Answered("read"):
		return modeltest.Do(modeltest.Use("edit", modeltest.Object{"path": "calc.go", "edits": []modeltest.Object{{"old": "a + b", "new": "b + a"}}}),
			modeltest.Use("write", modeltest.Object{"path": "made/new.go", "content": "package made\n"}))
	case h.Child("make"):
		return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"}))
	case h.Answered("agent"):
		return modeltest.Say("Done.")
	}
	return modeltest.Do(apart("maker", "make it", false))
}

func TestRemovingAWorktreeNamesWhatIsNotCommittedAndWhatKeepsIt(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), leaver)
	tree := leftTree(t, s)
	name := filepath.Base(tree.Path)

	_, errs, code := harness.Run(t, s.Dir, s.Env, "worktrees", "rm", name)
	require.Equal(t, 1, code)
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "uncommitted changes: calc.go, made/new.go")
	require.Contains(t, errs, "pawl worktrees rm "+name+" --commit")
	require.Contains(t, errs, "git -C "+tree.Path+" stash -u")
	require.NotContains(t, errs, "git merge", "it merges nothing of this")

	_, errs, code = harness.Run(t, s.Dir, s.Env, "worktrees", "rm", name, "--discard")
	require.Equal(t, 1, code, "nobody said yes")
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "calc.go, made/new.go")
	require.Contains(t, errs, "--yes")

	x := harness.StartSized(t, 100, 24, s.Dir, s.Env, "worktrees", "rm", name, "--discard")
	x.See("made/new.go", `Type "yes"`)
	x.Type("y", harness.KeyEnter)
	require.Equal(t, 1, x.Wait())
	require.FileExists(t, filepath.Join(tree.Path, "made/new.go"))

	out, errs, code := harness.Run(t, s.Dir, s.Env, "worktrees", "rm", name, "--commit")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "git -C "+tree.Checkout+" merge "+tree.Branch)
	require.NoDirExists(t, tree.Path)
	require.Empty(t, treesOf(t, s))
	gitAt(t, s.Dir, "merge", "-q", tree.Branch)
	text, err := os.ReadFile(filepath.Join(s.Dir, "calc.go"))
	require.NoError(t, err)
	require.Contains(t, string(text), "b + a")
	require.FileExists(t, filepath.Join(s.Dir, "made/new.go"))
}

func TestAWorktreeIsDiscardedAfterAYesAlone(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), leaver)
	tree := leftTree(t, s)
	x := harness.StartSized(t, 400, 24, s.Dir, s.Env, "worktrees", "rm", filepath.Base(tree.Path), "--discard") // however long the path is
	x.See("calc.go, made/new.go")
	x.Type("yes", harness.KeyEnter)
	require.Equal(t, 0, x.Wait())
	require.NoDirExists(t, tree.Path)
	require.NotContains(t, gitAt(t, s.Dir, "branch"), tree.Branch)
	for _, args := range [][]string{{"rm", "x", "--commit", "--discard"}, {"rm", "x", "--yes"}, {"--commit"}, {"rm", "--all-unchanged", "--commit"}} {
		_, errs, code := harness.Run(t, s.Dir, s.Env, append([]string{"worktrees"}, args...)...)
		require.Equal(t, 2, code, args)
		harness.RequireOneLine(t, errs)
	}
}
