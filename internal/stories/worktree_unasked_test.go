package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// committer is a subagent that makes a file, commits it and then tries something that
// nobody has allowed.
func committer(h modeltest.Request) modeltest.Reply {
	switch {
	case !h.Answered("write") && !h.Answered("shell"):
		return modeltest.Do(modeltest.Use("write", modeltest.Object{"path": "made.go", "content": "package calc\n"}))
	case h.Answered("write"):
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": `git add -A && git commit -m "made it"`}))
	case strings.Contains(h.ResultsOf("shell")[0], "Denied"):
		return modeltest.Say("Not all of it was allowed.")
	}
	return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch more.txt"}))
}

// A subagent in the background, in a worktree of its own and in the default mode, changes
// files and commits them; no hook runs, and what else it tries is denied and to be seen.
func TestWorkInTheBackgroundGetsDoneInItsOwnWorktree(t *testing.T) {
	t.Parallel()
	if !hasLandlock() {
		t.Skip("no sandbox can be made here")
	}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make"):
			return committer(h)
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of it.")
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(apart("maker", "make it", true))
	})
	gitAt(t, s.Dir, "config", "user.name", "x")
	gitAt(t, s.Dir, "config", "user.email", "x@x")
	mark := filepath.Join(t.TempDir(), "mark")
	hook := filepath.Join(s.Dir, ".git", "hooks", "pre-commit")
	require.NoError(t, os.MkdirAll(filepath.Dir(hook), 0o700))
	require.NoError(t, os.WriteFile(hook, []byte("#!/bin/sh\ntouch "+mark+"\nexit 1\n"), 0o700))
	x := s.Open(t, "--trust")
	x.Prompt("send one")
	x.See("I have heard of it.", `Agent "maker" completed · 1 denied`, "1 commit")
	child := s.Server.Await(t, modeltest.FromChild("make"))
	require.Contains(t, child.System, "git add and git commit -m need no permission here")
	told := s.Server.Await(t, parentHeardOf("maker"))
	require.Contains(t, string(told.Raw), "1 call was denied to it: shell touch more.txt.")
	x.Rest()
	require.Equal(t, 0, x.Quit())

	made, err := filepath.Glob(filepath.Join(s.Home, "data", "worktrees", "*", "*", "made.go"))
	require.NoError(t, err)
	require.Len(t, made, 1)
	tree := filepath.Dir(made[0])
	require.NoFileExists(t, filepath.Join(tree, "more.txt"))
	require.NoFileExists(t, mark, "a hook of the checkout's ran")
	require.Contains(t, gitAt(t, s.Dir, "log", "--format=%s", "pawl/"+filepath.Base(tree)), "made it")
	require.NotContains(t, gitAt(t, s.Dir, "log", "--format=%s"), "made it")
}

// Where one of the conditions is missing the question stays, and with nobody there it is
// a no.
func TestOutsideOfItsOwnWorktreeAndSandboxABackgroundRunIsDenied(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env, flags []string
		start      func(description, prompt string) modeltest.Call
		says       string
		denied     int
	}{
		"no sandbox":            {env: []string{"PAWL_SANDBOX=off"}, start: backgroundApart, says: "nobody was there to be asked", denied: 2},
		"plan mode":             {flags: []string{"--permission-mode", "plan"}, start: backgroundApart, says: "plan mode", denied: 2},
		"the folder itself":     {start: modeltest.Launch, says: "nobody was there to be asked", denied: 2},
		"the folder, its edits": {flags: []string{"--permission-mode", "accept-edits"}, start: modeltest.Launch, says: "nobody was there to be asked", denied: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Child("make"):
					return committer(h)
				case h.Answered("agent"), len(h.Notices()) > 0:
					return modeltest.Say("Done.")
				}
				return modeltest.Do(c.start("maker", "make it"))
			}).With(c.env...)
			r, errs, code := s.Prompted(t, append(c.flags, "-p", "send one")...)
			require.Equal(t, 0, code, errs)
			require.Equal(t, "completed", r.Subagents[0].Status)
			require.Len(t, r.Subagents[0].Denials, c.denied)
			h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("make") && h.Answered("shell") })
			require.Contains(t, h.ResultsOf("shell")[0], c.says)
			require.NotContains(t, gitAt(t, s.Dir, "log", "--all", "--format=%s"), "made it")
			_, err := os.Stat(filepath.Join(s.Dir, "made.go"))
			require.Equal(t, name == "the folder, its edits", err == nil)
			require.Empty(t, keptTrees(t, s, 0), "a worktree in which nothing was done is removed")
		})
	}
}

func backgroundApart(description, prompt string) modeltest.Call {
	return apart(description, prompt, true)
}
