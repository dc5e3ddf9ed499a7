package stories

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/gittest"
)

// brings lays a file into the stage's folder.
func (s *stage) brings(t *testing.T, name string) {
	t.Helper()
	path := filepath.Join(s.dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte("be nice"), 0o600))
}

func TestFilesOfOtherToolsAreNamedOnceInEachFolder(t *testing.T) {
	t.Parallel()
	s := set(t, chatProtocol(), func(heard) reply { return say("Hello.") })
	for _, name := range []string{".claude/commands/fix.md", ".claude/skills/cook/SKILL.md", ".cursorrules", "GEMINI.md"} {
		s.brings(t, name)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(s.dir, ".cursor/rules"), 0o700)) // nothing is in it
	require.NoError(t, syscall.Mkfifo(filepath.Join(s.dir, "opencode.json"), 0o600))
	prompt := func() string {
		out, errs, code := run(t, s.dir, s.env, s.flags("-p", "hi")...)
		require.Equal(t, 0, code, errs)
		require.Equal(t, "Hello.\n", out)
		return errs
	}
	errs := prompt()
	requireOneLine(t, errs)
	require.Contains(t, errs, "not used by Pawl: .claude/commands, .claude/skills, .cursorrules and GEMINI.md;")
	require.Empty(t, prompt())

	s.brings(t, ".github/copilot-instructions.md")
	errs = prompt()
	requireOneLine(t, errs)
	require.Contains(t, errs, "not used by Pawl: .github/copilot-instructions.md;")
	require.Empty(t, prompt())
	_, d := s.examined(t, 0)
	require.Contains(t, d.finding(t, "This folder", "of other tools").Says, ".claude/skills")

	s.dir = gittest.Checkout(t)
	s.brings(t, ".aider.conf.yml")
	x := s.open(t)
	x.see("not used by Pawl: .aider.conf.yml")
	require.Equal(t, 0, x.quit())
	x = s.open(t)
	require.NotContains(t, x.screen(), ".aider.conf.yml")
	require.Equal(t, 0, x.quit())
}
