// Package gittest makes git checkouts for the tests of all rooms.
package gittest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Checkout makes a folder with two files under git.
func Checkout(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"README.md": "# Calc\n\nAdds numbers.\n",
		"calc.go":   "package calc\n\nfunc Add(a, b int) int { return a + b }\n",
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "begin"}} {
		Run(t, dir, args...)
	}
	return dir
}

// Run runs git in a folder, as far from this machine's settings as it can be, and gives what it printed.
func Run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	args = append([]string{"-c", "user.name=Tester", "-c", "user.email=tester@loopback.example"}, args...)
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %q: %s", args, out)
	return string(out)
}
