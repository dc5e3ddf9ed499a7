package stories

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// In a trusted folder and inside the sandbox what only reads needs nobody, in the
// background and in plan mode too; what else a line does is refused as before.
func TestCommandsThatOnlyReadNeedNoQuestion(t *testing.T) {
	t.Parallel()
	commands := func() reply {
		return do(
			use("shell", object{"command": "git status --short && ls -a | head -20"}), use("shell", object{"command": "grep -rn inside ."}),
			use("shell", object{"command": "cat leads-out"}), use("shell", object{"command": "cat ../out/secret.txt"}),
			use("shell", object{"command": "ls > listing.txt"}), use("shell", object{"command": "git log --output=log.txt"}),
			use("shell", object{"command": "git grep -e -- -O./run.sh"}), use("shell", object{"command": "find . -not -name -- -delete"}),
		)
	}
	s, outside := caged(t, func(string) func(heard) reply {
		return func(h heard) reply {
			switch {
			case h.child("look") && h.answered("shell"):
				return say("I have looked.")
			case h.child("look"):
				return commands()
			case len(h.notices()) > 0:
				return say("All seen.")
			case h.answered("agent"):
				return say("It looks.")
			case h.answered("shell"):
				return do(launch("looking", "look"))
			}
			return commands()
		}
	})
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret.txt"), []byte("outside\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "a.txt"), []byte("inside\n"), 0o600))
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(s.dir, "leads-out")))
	check := func(h heard) {
		results := h.resultsOf("shell")
		require.Contains(t, results[0], "?? a.txt")
		require.Contains(t, results[0], ".git")
		require.Contains(t, results[1], "a.txt:1:inside")
		for _, refused := range results[2:] {
			require.Contains(t, refused, "enied")
			require.NotContains(t, refused, "exit code")
		}
	}
	for _, mode := range []string{"default", "plan"} {
		_, errs, _ := s.prompted(t, "-p", "--permission-mode", mode, "do it")
		require.NoFileExists(t, filepath.Join(s.dir, "listing.txt"), errs)
		require.NoFileExists(t, filepath.Join(s.dir, "log.txt"), errs)
	}
	for _, h := range append(s.server.all(parentTold("shell")), s.server.all(func(h heard) bool { return h.child("look") && h.answered("shell") })...) {
		check(h)
	}
	require.NotEmpty(t, s.server.all(func(h heard) bool { return h.child("look") && h.answered("shell") }), "a subagent in the background did it too")

	s.configured(t, "sandbox.mode = \"off\"\n[permissions]\ndeny = [\"read(**/.env)\"]\n")
	require.NoError(t, os.RemoveAll(filepath.Join(s.dir, ".git")))
	require.NoError(t, exec.CommandContext(t.Context(), "git", "init", "-q", s.dir).Run())
	before := len(s.server.all(parentTold("shell")))
	s.prompted(t, "-p", "do it")
	for _, refused := range s.server.all(parentTold("shell"))[before].resultsOf("shell") {
		require.Contains(t, refused, "enied", "without a sandbox nothing is free")
	}
}
