// Package install installs a release as people do, from nothing to the first picture of the demo. It
// has nothing to do unless PAWL_RELEASE_DIST names the folder of one: make release-test.
package install

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
)

func TestMain(m *testing.M) { harness.Main(m, nil) }

// dist is the folder of the release.
func dist(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("PAWL_RELEASE_DIST")
	if folder == "" {
		t.Skip("PAWL_RELEASE_DIST names no release: make release-test makes one")
	}
	return folder
}

// only is the one file of the release that a pattern matches.
func only(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dist(t), pattern))
	require.NoError(t, err)
	require.Len(t, found, 1, pattern)
	return found[0]
}

// does runs a program that goes well and gives all that it said.
func does(t *testing.T, folder string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), name, args...)
	cmd.Dir, cmd.Env = folder, env
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %v: %s", name, args, out)
	return string(out)
}

// fails runs a program that says in one line what is wrong.
func fails(t *testing.T, cmd *exec.Cmd, says string) {
	t.Helper()
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), says)
	harness.RequireOneLine(t, string(out))
}

// person is the environment of somebody who has just come, with a home of their own.
func person(t *testing.T) (home string, env []string) {
	t.Helper()
	home = t.TempDir()
	return home, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8"}
}

// firstPicture starts the demo and waits for its first picture.
func firstPicture(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	x := harness.StartCommand(t, 100, 30, cmd)
	x.Ready()
	x.See("DEMO: a script answers")
	require.Zero(t, x.Quit())
}
