package stories

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// leftTree makes a worktree in which a subagent has left a new file and a changed one, none committed.
func (s *stage) leftTree(t *testing.T) listedTree {
	t.Helper()
	_, errs, code := s.prompted(t, "--permission-mode", "accept-edits", "-p", "send one")
	require.Equal(t, 0, code, errs)
	rows := s.trees(t)
	require.Len(t, rows, 1)
	require.Equal(t, []string{"calc.go", "made/new.go"}, rows[0].Unsaved)
	return rows[0]
}

// leaver is a model whose subagent writes and commits nothing.
func leaver(h heard) reply {
	switch {
	case h.child("make") && h.answered("write"):
		return say("Made it.")
	case h.child("make") && h.answered("read"):
		return do(use("edit", object{"path": "calc.go", "edits": []object{{"old": "a + b", "new": "b + a"}}}),
			use("write", object{"path": "made/new.go", "content": "package made\n"}))
	case h.child("make"):
		return do(use("read", object{"path": "calc.go"}))
	case h.answered("agent"):
		return say("Done.")
	}
	return do(apart("maker", "make it", false))
}

func TestRemovingAWorktreeNamesWhatIsNotCommittedAndWhatKeepsIt(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), leaver)
	tree := s.leftTree(t)
	name := filepath.Base(tree.Path)

	_, errs, code := run(t, s.dir, s.env, "worktrees", "rm", name)
	require.Equal(t, 1, code)
	requireOneLine(t, errs)
	require.Contains(t, errs, "uncommitted changes: calc.go, made/new.go")
	require.Contains(t, errs, "pawl worktrees rm "+name+" --commit")
	require.Contains(t, errs, "git -C "+tree.Path+" stash -u")
	require.NotContains(t, errs, "git merge", "it merges nothing of this")

	_, errs, code = run(t, s.dir, s.env, "worktrees", "rm", name, "--discard")
	require.Equal(t, 1, code, "nobody said yes")
	requireOneLine(t, errs)
	require.Contains(t, errs, "calc.go, made/new.go")
	require.Contains(t, errs, "--yes")

	x := startSized(t, 100, 24, s.dir, s.env, "worktrees", "rm", name, "--discard")
	x.see("made/new.go", `Type "yes"`)
	x.type_("y", keyEnter)
	require.Equal(t, 1, x.wait())
	require.FileExists(t, filepath.Join(tree.Path, "made/new.go"))

	out, errs, code := run(t, s.dir, s.env, "worktrees", "rm", name, "--commit")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "git -C "+tree.Checkout+" merge "+tree.Branch)
	require.NoDirExists(t, tree.Path)
	require.Empty(t, s.trees(t))
	gitAt(t, s.dir, "merge", "-q", tree.Branch)
	text, err := os.ReadFile(filepath.Join(s.dir, "calc.go"))
	require.NoError(t, err)
	require.Contains(t, string(text), "b + a")
	require.FileExists(t, filepath.Join(s.dir, "made/new.go"))
}

func TestAWorktreeIsDiscardedAfterAYesAlone(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), leaver)
	tree := s.leftTree(t)
	x := startSized(t, 100, 24, s.dir, s.env, "worktrees", "rm", filepath.Base(tree.Path), "--discard")
	x.see("calc.go, made/new.go")
	x.type_("yes", keyEnter)
	require.Equal(t, 0, x.wait())
	require.NoDirExists(t, tree.Path)
	require.NotContains(t, gitAt(t, s.dir, "branch"), tree.Branch)
	for _, args := range [][]string{{"rm", "x", "--commit", "--discard"}, {"rm", "x", "--yes"}, {"--commit"}, {"rm", "--all-unchanged", "--commit"}} {
		_, errs, code := run(t, s.dir, s.env, append([]string{"worktrees"}, args...)...)
		require.Equal(t, 2, code, args)
		requireOneLine(t, errs)
	}
}
