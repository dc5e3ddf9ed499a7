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

	"pawl/internal/host"
	"pawl/internal/worktree"
)

// slowGit puts a git on the path that has made a worktree and does not end. What it gives
// is there from then on.
func (s *stage) slowGit(t *testing.T) (midway string) {
	t.Helper()
	git, err := exec.LookPath("git")
	require.NoError(t, err)
	folder := t.TempDir()
	midway = filepath.Join(folder, "midway")
	script := fmt.Sprintf("#!/bin/sh\n'%s' \"$@\" || exit\ncase \" $* \" in *' worktree add '*) : > '%s'; exec sleep 600;; esac\n", git, midway)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "git"), []byte(script), 0o700)) //nolint:gosec // it is to be run
	s.with("PATH=" + folder + string(filepath.ListSeparator) + os.Getenv("PATH"))
	return midway
}

// Killed while git checks a worktree out, Pawl leaves one that is half made: the next
// start clears it away, with its branch.
func TestAWorktreeThatAKillLeftHalfMadeIsGoneWithTheNextStart(t *testing.T) {
	t.Parallel()
	cleared := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.asked("and now?") {
			return say("It is ").until(cleared, "gone.")
		}
		return do(apart("looker", "look at it", false))
	})
	path := os.Getenv("PATH")
	midway := s.slowGit(t)
	x := s.open(t)
	x.prompt("send one")
	require.Eventually(t, func() bool { return host.Exists(midway) }, patience, 10*time.Millisecond)
	x.crash()
	require.Contains(t, gitAt(t, s.dir, "branch"), "pawl/looker")
	rows := s.trees(t)
	require.Len(t, rows, 1)

	s.with("PATH=" + path)
	cmd := s.command(t, "--continue", "-p", "and now?")
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return !host.Exists(worktree.NoteOf(rows[0].Path)) }, patience, 10*time.Millisecond)
	close(cleared)
	waitEnd(t, cmd)
	require.Equal(t, 0, cmd.ProcessState.ExitCode())
	require.NotContains(t, gitAt(t, s.dir, "branch"), "pawl/")
	require.Equal(t, 1, strings.Count(gitAt(t, s.dir, "worktree", "list"), "\n"))
}
