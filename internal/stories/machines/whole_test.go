//go:build linux

package machines

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// builds writes a file and changes another by a command.
func builds(h modeltest.Request) modeltest.Reply {
	if h.Answered("write") {
		return modeltest.Say("Built it.")
	}
	return modeltest.Do(
		modeltest.Use("write", modeltest.Object{"path": "sub/new.go", "content": "package sub\n"}),
		modeltest.Use("shell", modeltest.Object{"command": "sed -i s/Adds/Subtracts/ README.md"}),
	).Saying("I build.")
}

func TestWhatASubagentDoesOnAnotherMachineComesHomeAndLands(t *testing.T) {
	t.Parallel()
	s := set(t, away(false), builds)
	m := s.worker(t)
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "have it built")
	require.Equal(t, 0, code, errs)
	got := s.parentTold(t)
	require.Equal(t, "completed", got.Status, got.Error.Message)
	require.Equal(t, "Built it.", got.Output)
	require.True(t, got.Worktree.Kept)
	require.Equal(t, 2, got.Worktree.Files)
	require.Equal(t, "package sub\n", read(t, got.Worktree.Path, "sub/new.go"))
	m.requireBare(t)
	require.NoFileExists(t, s.Dir+"/sub/new.go")

	exported := s.export(t, r.Session)
	require.Contains(t, exported, `"isolation":"remote"`)
	require.Contains(t, exported, `"event":"placed"`)
	require.NotContains(t, exported, m.home, "what it recorded has the paths of home")
	out, errs, code := harness.Run(t, s.Dir, s.Env, "land", r.Session)
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "2 files landed in "+s.Dir+"; its worktree is removed")
	require.Equal(t, "# Calc\n\nSubtracts numbers.\n", read(t, s.Dir, "README.md"))
	require.Equal(t, "package sub\n", read(t, s.Dir, "sub/new.go"))
	out, errs, code = harness.Run(t, s.Dir, s.Env, "verify", r.Session)
	require.Equal(t, 0, code, out+errs)
}
