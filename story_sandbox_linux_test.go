package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/tools"
)

// caged is a stage whose folder is a checkout outside of the temporary folders, and a
// folder beside it.
func caged(t *testing.T, script func(outside string) func(heard) reply) (s *stage, outside string) {
	t.Helper()
	if !(tools.Sandbox{}).InForce() {
		t.Skip("this kernel has no Landlock")
	}
	home, err := os.UserHomeDir()
	require.NoError(t, err)
	base, err := os.MkdirTemp(home, "pawl-caged")
	if err != nil {
		t.Skipf("the home folder cannot be written: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	outside = filepath.Join(base, "out")
	require.NoError(t, os.Mkdir(outside, 0o755))
	s = set(t, anthropicProtocol(), script(outside))
	s.dir = filepath.Join(base, "in")
	require.NoError(t, os.Mkdir(s.dir, 0o755))
	require.NoError(t, exec.CommandContext(t.Context(), "git", "init", "-q", s.dir).Run())
	return s, outside
}

// A model's shell is kept inside, as a subagent in a process of its own too; what it
// is kept from the model is told.
func TestAModelsShellIsKeptInside(t *testing.T) {
	t.Parallel()
	const reading = `cat /proc/[0-9]*/environ 2>/dev/null | tr '\0' '\n' | grep -c sk-`
	s, outside := caged(t, func(outside string) func(heard) reply {
		escape := use("shell", object{"command": "echo bad > " + outside + "/new"})
		return func(h heard) reply {
			switch {
			case h.child("escape") && h.answered("shell"):
				return say("It is not allowed.")
			case h.child("escape"):
				return do(escape)
			case h.answered("task"):
				return say("Kept inside.")
			case h.answered("shell"):
				return do(task("escape", false))
			}
			return do(
				escape,
				use("shell", object{"command": "echo x > .git/hooks/pre-commit"}),
				use("shell", object{"command": reading}),
				use("shell", object{"command": "echo fine > made && git add made && git -c user.name=a -c user.email=a@b commit -qm made && echo committed"}),
			)
		}
	})
	r, errs, code := s.prompted(t, "-p", "get out", "--permission-mode", "bypass")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "Kept inside.", r.Output)
	told := s.server.await(t, parentTold("shell")).resultsOf("shell")
	require.Len(t, told, 4)
	const kept = "the sandbox lets commands write only below "
	require.Contains(t, told[0], kept+s.dir)
	require.Regexp(t, `(?s)^0\n.*exit code 1`, told[2], "no key is in sight")
	require.Contains(t, told[3], "committed")
	child := s.server.await(t, func(h heard) bool { return h.child("escape") && h.answered("shell") })
	require.Contains(t, child.resultsOf("shell")[0], kept+s.dir)
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, entries)
	if found := tools.CheckSandbox(t.Context(), tools.ContainAuto, tools.Sandbox{}); found.Frozen {
		require.Contains(t, told[1], "the sandbox keeps commands from changing "+s.dir+"/.git/hooks/pre-commit")
		require.NoFileExists(t, s.dir+"/.git/hooks/pre-commit")
	}
}
