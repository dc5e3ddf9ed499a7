package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/tools/process/sandbox"
)

// committer is a subagent that makes a file, commits it and then tries something that
// nobody has allowed.
func committer(h heard) reply {
	switch {
	case !h.answered("write") && !h.answered("shell"):
		return do(use("write", object{"path": "made.go", "content": "package calc\n"}))
	case h.answered("write"):
		return do(use("shell", object{"command": `git add -A && git commit -m "made it"`}))
	case strings.Contains(h.resultsOf("shell")[0], "Denied"):
		return say("Not all of it was allowed.")
	}
	return do(use("shell", object{"command": "touch more.txt"}))
}

// A subagent in the background, in a worktree of its own and in the default mode, changes
// files and commits them; no hook runs, and what else it tries is denied and to be seen.
func TestWorkInTheBackgroundGetsDoneInItsOwnWorktree(t *testing.T) {
	t.Parallel()
	if !(sandbox.Policy{}).InForce() {
		t.Skip("no sandbox can be made here")
	}
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("make"):
			return committer(h)
		case len(h.notices()) > 0:
			return say("I have heard of it.")
		case h.answered("agent"):
			return say("It is on its way.")
		}
		return do(apart("maker", "make it", true))
	})
	gitAt(t, s.dir, "config", "user.name", "x")
	gitAt(t, s.dir, "config", "user.email", "x@x")
	mark := filepath.Join(t.TempDir(), "mark")
	hook := filepath.Join(s.dir, ".git", "hooks", "pre-commit")
	require.NoError(t, os.MkdirAll(filepath.Dir(hook), 0o700))
	require.NoError(t, os.WriteFile(hook, []byte("#!/bin/sh\ntouch "+mark+"\nexit 1\n"), 0o700))
	x := s.open(t, "--trust")
	x.prompt("send one")
	x.see("I have heard of it.", `Agent "maker" completed · 1 denied`, "1 commit")
	child := s.server.await(t, fromChild("make"))
	require.Contains(t, child.system, "git add and git commit -m need no permission here")
	told := s.server.await(t, parentHeardOf("maker"))
	require.Contains(t, string(told.raw), "1 call was denied to it: shell touch more.txt.")
	x.rest()
	require.Equal(t, 0, x.quit())

	made, err := filepath.Glob(filepath.Join(s.home, "data", "worktrees", "*", "*", "made.go"))
	require.NoError(t, err)
	require.Len(t, made, 1)
	tree := filepath.Dir(made[0])
	require.NoFileExists(t, filepath.Join(tree, "more.txt"))
	require.NoFileExists(t, mark, "a hook of the checkout's ran")
	require.Contains(t, gitAt(t, s.dir, "log", "--format=%s", "pawl/"+filepath.Base(tree)), "made it")
	require.NotContains(t, gitAt(t, s.dir, "log", "--format=%s"), "made it")
}

// Where one of the conditions is missing the question stays, and with nobody there it is
// a no.
func TestOutsideOfItsOwnWorktreeAndSandboxABackgroundRunIsDenied(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env, flags []string
		start      func(description, prompt string) call
		says       string
		denied     int
	}{
		"no sandbox":            {env: []string{"PAWL_SANDBOX=off"}, start: backgroundApart, says: "nobody was there to be asked", denied: 2},
		"plan mode":             {flags: []string{"--permission-mode", "plan"}, start: backgroundApart, says: "plan mode", denied: 2},
		"the folder itself":     {start: launch, says: "nobody was there to be asked", denied: 2},
		"the folder, its edits": {flags: []string{"--permission-mode", "accept-edits"}, start: launch, says: "nobody was there to be asked", denied: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := set(t, anthropicProtocol(), func(h heard) reply {
				switch {
				case h.child("make"):
					return committer(h)
				case h.answered("agent"), len(h.notices()) > 0:
					return say("Done.")
				}
				return do(c.start("maker", "make it"))
			}).with(c.env...)
			r, errs, code := s.prompted(t, append(c.flags, "-p", "send one")...)
			require.Equal(t, 0, code, errs)
			require.Equal(t, "completed", r.Subagents[0].Status)
			require.Len(t, r.Subagents[0].Denials, c.denied)
			h := s.server.await(t, func(h heard) bool { return h.child("make") && h.answered("shell") })
			require.Contains(t, h.resultsOf("shell")[0], c.says)
			require.NotContains(t, gitAt(t, s.dir, "log", "--all", "--format=%s"), "made it")
			_, err := os.Stat(filepath.Join(s.dir, "made.go"))
			require.Equal(t, name == "the folder, its edits", err == nil)
			require.Empty(t, s.trees(t), "a worktree in which nothing was done is removed")
		})
	}
}

func backgroundApart(description, prompt string) call { return apart(description, prompt, true) }
