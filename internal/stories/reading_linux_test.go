package stories

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// In a trusted folder and inside the sandbox what only reads needs nobody, in the
// background and in plan mode too; what else a line does is refused as before.
func TestCommandsThatOnlyReadNeedNoQuestion(t *testing.T) {
	t.Parallel()
	commands := func() modeltest.Reply {
		return modeltest.Do(
			modeltest.Use("shell", modeltest.Object{"command": "git status --short && ls -a | head -20"}), modeltest.Use("shell", modeltest.Object{"command": "grep -rn inside ."}),
			modeltest.Use("shell", modeltest.Object{"command": "cat leads-out"}), modeltest.Use("shell", modeltest.Object{"command": "cat ../out/secret.txt"}),
			modeltest.Use("shell", modeltest.Object{"command": "ls > listing.txt"}), modeltest.Use("shell", modeltest.Object{"command": "git log --output=log.txt"}),
			modeltest.Use("shell", modeltest.Object{"command": "git grep -e -- -O./run.sh"}), modeltest.Use("shell", modeltest.Object{"command": "find . -not -name -- -delete"}),
		)
	}
	s, outside := caged(t, func(string) func(modeltest.Request) modeltest.Reply {
		return func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("look") && h.Answered("shell"):
				return modeltest.Say("I have looked.")
			case h.Child("look"):
				return commands()
			case len(h.Notices()) > 0:
				return modeltest.Say("All seen.")
			case h.Answered("agent"):
				return modeltest.Say("It looks.")
			case h.Answered("shell"):
				return modeltest.Do(modeltest.Launch("looking", "look"))
			}
			return commands()
		}
	})
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret.txt"), []byte("outside\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "a.txt"), []byte("inside\n"), 0o600))
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(s.Dir, "leads-out")))
	check := func(h modeltest.Request) {
		results := h.ResultsOf("shell")
		require.Contains(t, results[0], "?? a.txt")
		require.Contains(t, results[0], ".git")
		require.Contains(t, results[1], "a.txt:1:inside")
		for _, refused := range results[2:] {
			require.Contains(t, refused, "enied")
			require.NotContains(t, refused, "exit code")
		}
	}
	for _, mode := range []string{"default", "plan"} {
		_, errs, _ := s.Prompted(t, "-p", "--permission-mode", mode, "do it")
		require.NoFileExists(t, filepath.Join(s.Dir, "listing.txt"), errs)
		require.NoFileExists(t, filepath.Join(s.Dir, "log.txt"), errs)
	}
	for _, h := range append(s.Server.All(modeltest.ParentTold("shell")), s.Server.All(func(h modeltest.Request) bool { return h.Child("look") && h.Answered("shell") })...) {
		check(h)
	}
	require.NotEmpty(t, s.Server.All(func(h modeltest.Request) bool { return h.Child("look") && h.Answered("shell") }), "a subagent in the background did it too")

	s.Configured(t, "sandbox.mode = \"off\"\n[permissions]\ndeny = [\"read(**/.env)\"]\n")
	require.NoError(t, os.RemoveAll(filepath.Join(s.Dir, ".git")))
	require.NoError(t, exec.CommandContext(t.Context(), "git", "init", "-q", s.Dir).Run())
	before := len(s.Server.All(modeltest.ParentTold("shell")))
	s.Prompted(t, "-p", "do it")
	for _, refused := range s.Server.All(modeltest.ParentTold("shell"))[before].ResultsOf("shell") {
		require.Contains(t, refused, "enied", "without a sandbox nothing is free")
	}
}
