package stories

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// slowGit puts a git on the path that has made a worktree and does not end. What it gives
// is there from then on.
func slowGit(t *testing.T, s *harness.Stage) (midway string) {
	t.Helper()
	git, err := exec.LookPath("git")
	require.NoError(t, err)
	folder := t.TempDir()
	midway = filepath.Join(folder, "midway")
	script := fmt.Sprintf("#!/bin/sh\n'%s' \"$@\" || exit\ncase \" $* \" in *' worktree add '*) : > '%s'; exec sleep 600;; esac\n", git, midway)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "git"), []byte(script), 0o700)) //nolint:gosec // it is to be run
	s.With("PATH=" + folder + string(filepath.ListSeparator) + os.Getenv("PATH"))
	return midway
}

// Killed while git checks a worktree out, Pawl leaves one that is half made: the next
// start clears it away, with its branch.
func TestAWorktreeThatAKillLeftHalfMadeIsGoneWithTheNextStart(t *testing.T) {
	t.Parallel()
	cleared := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("and now?") {
			return modeltest.Say("It is ").Until(cleared, "gone.")
		}
		return modeltest.Do(apart("looker", "look at it", false))
	})
	path := os.Getenv("PATH")
	midway := slowGit(t, s)
	x := s.Open(t)
	x.Prompt("send one")
	require.Eventually(t, func() bool { return exists(midway) }, modeltest.Patience, 10*time.Millisecond)
	x.Crash()
	require.Contains(t, gitAt(t, s.Dir, "branch"), "pawl/looker")
	rows := treesOf(t, s)
	require.Len(t, rows, 1)

	s.With("PATH=" + path)
	cmd := s.Command(t, "--continue", "-p", "and now?")
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return !exists(rows[0].Path + ".json") }, modeltest.Patience, 10*time.Millisecond)
	close(cleared)
	harness.WaitEnd(t, cmd)
	require.Equal(t, 0, cmd.ProcessState.ExitCode())
	require.NotContains(t, gitAt(t, s.Dir, "branch"), "pawl/")
	require.Equal(t, 1, strings.Count(gitAt(t, s.Dir, "worktree", "list"), "\n"))
}

// exists says that something is there.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
