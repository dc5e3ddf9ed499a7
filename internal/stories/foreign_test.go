package stories

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// brings lays a file into the stage's folder.
func brings(t *testing.T, s *harness.Stage, name string) {
	t.Helper()
	path := filepath.Join(s.Dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("be nice"), 0o600))
}

func TestFilesOfOtherToolsAreNamedOnceInEachFolder(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Chat(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("Hello.") })
	for _, name := range []string{".claude/settings.json", ".claude/settings.local.json", ".cursorrules", "GEMINI.md"} {
		brings(t, s, name)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(s.Dir, ".cursor/rules"), 0o700)) // nothing is in it
	require.NoError(t, syscall.Mkfifo(filepath.Join(s.Dir, "opencode.json"), 0o600))
	prompt := func() string {
		out, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("-p", "hi")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Hello.\n", out)
		return errs
	}
	errs := prompt()
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "not used by Pawl: .claude/settings.json, .claude/settings.local.json, .cursorrules and GEMINI.md;")
	require.Empty(t, prompt())

	brings(t, s, ".github/copilot-instructions.md")
	errs = prompt()
	harness.RequireOneLine(t, errs)
	require.Contains(t, errs, "not used by Pawl: .github/copilot-instructions.md;")
	require.Empty(t, prompt())
	_, d := examined(t, s, 0)
	require.Contains(t, d.finding(t, "This folder", "of other tools").Says, ".claude/settings.json")

	s.Dir = gittest.Checkout(t)
	brings(t, s, ".aider.conf.yml")
	x := s.Open(t)
	x.See("not used by Pawl: .aider.conf.yml")
	require.Equal(t, 0, x.Quit())
	x = s.Open(t)
	require.NotContains(t, x.Screen(), ".aider.conf.yml")
	require.Equal(t, 0, x.Quit())
}
