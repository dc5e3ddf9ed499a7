package stories

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
)

// apart is a call that starts a subagent in a worktree of its own.
func apart(description, prompt string, background bool) call {
	return use("agent", object{"description": description, "prompt": prompt, "isolation": "worktree", "run_in_background": background})
}

// gitAt is git as a person runs it.
func gitAt(t testing.TB, folder string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=x", "-c", "user.email=x@x"}, args...)...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "git %q: %s", args, out)
	return string(out)
}

// worktreeTold is what a tool result or the list says of a worktree.
type worktreeTold struct {
	AgentID  string `json:"agent_id"`
	Status   string
	Message  string
	Worktree lifecycle.Worktree
}

func worktreesTold(t *testing.T, h heard) map[string]worktreeTold {
	t.Helper()
	told := map[string]worktreeTold{}
	for _, text := range h.resultsOf("agent") {
		var one worktreeTold
		require.NoError(t, json.Unmarshal([]byte(text), &one), text)
		told[strings.Fields(one.Message)[1]] = one
	}
	return told
}

// listedTree is one of pawl worktrees --json.
type listedTree struct {
	Path, Branch, Checkout, Description string
	Session, Agent                      string
	Files, Added, Removed               int
	Commits                             int
	Uncommitted                         bool
	Unsaved                             []string `json:"uncommitted_files"`
}

// trees is pawl worktrees --json.
func (s *stage) trees(t *testing.T) []listedTree {
	t.Helper()
	out, errs, code := run(t, s.dir, s.env, "worktrees", "--json")
	require.Equal(t, 0, code, errs)
	var list struct{ Worktrees []listedTree }
	require.NoError(t, json.Unmarshal([]byte(out), &list), out)
	return list.Worktrees
}

// Two at once: what one makes is kept on its branch and the parent's checkout stays as it
// was; of the one that makes nothing, nothing is left.
func TestWorkInAWorktreeIsKeptOnItsBranchAndNothingOfNone(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("make") && h.answered("write"):
			return say("Made it.")
		case h.child("make"):
			return do(use("write", object{"path": "made.go", "content": "package calc\n\nvar Made int\n"}))
		case h.child("look"):
			return say("Seen it.")
		case h.answered("agent"):
			return say("Both are done.")
		}
		return do(apart("Maker of Things!", "make it", false), apart("looker", "look at it", false))
	})
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "draft.txt"), []byte("not committed"), 0o600))
	before := gitAt(t, s.dir, "status", "--porcelain")
	r, errs, code := s.prompted(t, "--permission-mode", "accept-edits", "-p", "send two")
	require.Equal(t, 0, code, errs)

	told := worktreesTold(t, s.server.await(t, parentTold("agent")))
	made, looked := told[`"Maker`], told[`"looker"`]
	w := made.Worktree
	require.Equal(t, lifecycle.Worktree{Path: w.Path, Branch: "pawl/" + filepath.Base(w.Path), Base: w.Base, Kept: true, Files: 1, Added: 3, Behind: 1}, w)
	require.Regexp(t, `^maker-of-things-[0-9a-f]{6}$`, filepath.Base(w.Path))
	require.Equal(t, filepath.Join(s.home, "data", "worktrees", r.Session), filepath.Dir(w.Path))
	require.Contains(t, made.Message, "1 file +3 −0, not committed, kept in "+w.Path)
	require.Contains(t, made.Message, "1 changed files of your checkout that are not committed were not in it")
	require.Contains(t, looked.Message, "nothing was changed")
	require.FileExists(t, filepath.Join(w.Path, "made.go"))
	require.NoFileExists(t, filepath.Join(w.Path, "draft.txt"))
	require.NoDirExists(t, looked.Worktree.Path)
	require.Equal(t, before, gitAt(t, s.dir, "status", "--porcelain"), "the parent's checkout")
	require.NotContains(t, gitAt(t, s.dir, "branch"), looked.Worktree.Branch)
	child := s.server.await(t, fromChild("make"))
	require.Contains(t, child.system, "folder: "+w.Path)
	require.Contains(t, child.system, "a git worktree of your own")

	story := s.story(t, r.Session)
	require.Contains(t, story, `"branch":"`+w.Branch+`"`)
	require.Contains(t, story, `"worktree":{"path":"`+w.Path)
	shown, _, _ := run(t, s.dir, s.env, "show", r.Session)
	require.Contains(t, shown, "on "+w.Branch)

	rows := s.trees(t)
	require.Len(t, rows, 1)
	require.Equal(t, w.Path, rows[0].Path)
	require.Equal(t, made.AgentID, string(rows[0].Agent))
	require.True(t, rows[0].Uncommitted)
	_, errs, code = run(t, s.dir, s.env, "worktrees", "rm", filepath.Base(w.Path))
	require.Equal(t, 1, code)
	require.Contains(t, errs, "uncommitted changes: made.go")
	gitAt(t, w.Path, "add", ".")
	gitAt(t, w.Path, "commit", "-qm", "made")
	gitAt(t, s.dir, "merge", "-q", w.Branch)
	out, errs, code := run(t, s.dir, s.env, "worktrees", "rm", "--all-unchanged")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "removed "+w.Path+"\n", out)
	require.NoDirExists(t, w.Path)
	require.Empty(t, s.trees(t))
	require.Equal(t, 1, strings.Count(gitAt(t, s.dir, "worktree", "list"), "\n"))
	_, errs, code = run(t, s.dir, s.env, "rm", r.Session)
	require.Equal(t, 0, code)
	require.Empty(t, errs, "it has left none")
}

// A resumed agent finds what it made, and so does one of a Pawl that was killed; what
// the dead one left without a change is gone with the next start.
func TestAWorktreeOutlastsACrashAndItsAgentGoesOnInIt(t *testing.T) {
	t.Parallel()
	stillThere := func(h heard) string {
		for _, notice := range h.notices() {
			if strings.Contains(notice, "It is still there.") {
				return notice
			}
		}
		return ""
	}
	resumed := func(h heard) bool { return strings.Contains(string(h.raw), "carry on with it") }
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("make") && resumed(h) && len(h.resultsOf("read")) > 0:
			return say("It is still there.")
		case h.child("make") && resumed(h):
			return do(use("read", object{"path": "made.go"}))
		case h.child("make") && h.answered("write"):
			return say("I have made it").until(make(chan struct{}))
		case h.child("make"):
			return do(use("write", object{"path": "made.go", "content": "package calc // mine\n"}))
		case h.child("look"):
			return say("I look").until(make(chan struct{}))
		case stillThere(h) != "":
			return say("It is.")
		case h.answered("agent_send"):
			return say("Sent.")
		case h.asked("again"):
			return do(use("agent_send", object{"agent_id": agentOf(h), "message": "carry on with it"}))
		case h.answered("agent"):
			return say("They are on their way.")
		}
		return do(apart("maker", "make it", true), apart("looker", "look at it", true))
	})
	x := s.open(t, "--permission-mode", "accept-edits")
	x.prompt("send two")
	x.see("maker", "I have made it", "I look", "They are on their way.", "on pawl/maker")
	x.crash()
	rows := s.trees(t)
	require.Len(t, rows, 2)

	r, errs, code := s.prompted(t, "--permission-mode", "accept-edits", "--continue", "-p", "again")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "It is.", r.Output)
	again := s.server.await(t, func(h heard) bool { return h.child("make") && resumed(h) && len(h.resultsOf("read")) > 0 })
	require.Contains(t, again.resultsOf("read")[0], "// mine")
	notice := stillThere(s.server.await(t, func(h heard) bool { return h.parent() && stillThere(h) != "" }))
	rows = s.trees(t)
	require.Len(t, rows, 1, "the one without a change was swept")
	require.Contains(t, notice, "<worktree><path>"+rows[0].Path+"</path><branch>"+rows[0].Branch+"</branch></worktree>")
	require.Equal(t, "maker", rows[0].Description)
	require.Equal(t, 2, strings.Count(gitAt(t, s.dir, "worktree", "list"), "\n"))
}

func TestWhereThereCanBeNoWorktreeTheModelIsToldWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before func(dir string)
		want   string
	}{
		"no repository": {func(dir string) { require.NoError(t, os.RemoveAll(filepath.Join(dir, ".git"))) }, "a worktree needs a git repository"},
		"a dirty index": {func(dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "half.go"), nil, 0o600))
			gitAt(t, dir, "add", "half.go")
		}, "git's index holds changes that are not committed (half.go)"},
		"settings that start programs": {func(dir string) { gitAt(t, dir, "config", "core.fsmonitor", "touch mark") }, "nobody has trusted them"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := set(t, anthropicProtocol(), func(h heard) reply {
				if h.answered("agent") {
					return say("I do it myself.")
				}
				return do(apart("maker", "make it", false))
			})
			c.before(s.dir)
			r, errs, code := s.prompted(t, "-p", "send one")
			require.Equal(t, 0, code, errs)
			require.Empty(t, r.Subagents)
			result := s.server.await(t, parentTold("agent")).resultsOf("agent")[0]
			require.Contains(t, result, "No subagent was started: ")
			require.Contains(t, result, c.want)
			require.NoFileExists(t, filepath.Join(s.dir, "mark"))
			require.Empty(t, s.trees(t))
		})
	}
}

// Two in one checkout that write one file: both models and both cards are told of it.
func TestTwoSubagentsThatWriteOneFileAreTold(t *testing.T) {
	t.Parallel()
	wrote, over := make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(wrote) })
	replaced := func(h heard) bool { return strings.Contains(string(h.raw), "Replaced all of calc.go") }
	look, done := use("read", object{"path": "calc.go"}), func(text string) reply { return say(text).until(over) }
	writing := func(who string) call {
		return use("write", object{"path": "calc.go", "content": "package calc // " + who + "\n"})
	}
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("first") && h.answered("read") && replaced(h):
			return say("The first is done.")
		case h.child("first") && h.answered("write"):
			first()
			return do(look).until(over)
		case h.child("first") && h.answered("read"):
			return do(writing("first"))
		case h.child("second") && h.answered("write"):
			return done("The second is done.")
		case h.child("second") && h.answered("read"):
			return do(writing("second"))
		case h.child("second"):
			return do(look).until(wrote)
		case h.child("first"):
			return do(look)
		case len(h.notices()) > 0:
			return say("Noted.")
		case h.answered("agent"):
			return say("Both are at it.")
		}
		return do(launch("one", "first"), launch("two", "second"))
	})
	x := s.open(t, "--permission-mode", "accept-edits")
	x.prompt("send two")
	x.see("write overlap", "Both are at it.")
	h := s.server.await(t, func(h heard) bool { return h.child("second") && h.answered("write") })
	require.Contains(t, string(h.raw), "calc.go was also changed by the subagent")
	close(over)
	h = s.server.await(t, func(h heard) bool { return h.child("first") && h.answered("read") && replaced(h) })
	require.Contains(t, string(h.raw), "calc.go was also changed by the subagent")
	x.see("The first is done.", "The second is done.")
	x.seeNot("not delivered")
	x.see(`Agent "one" completed`, `Agent "two" completed`) // else a later wake-up meets the key
	require.Equal(t, 0, x.quit())
}

// A command works in the worktree, and its commit is on the branch, also where a sandbox
// confines it.
func TestACommandInAWorktreeCommitsOnItsBranch(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("make") && h.answered("shell"):
			return say("Committed.")
		case h.child("make"):
			return do(use("shell", object{"command": "echo // more >> calc.go && git -c user.name=x -c user.email=x@x commit -qam more && pwd"}))
		case h.answered("agent"):
			return say("Done.")
		}
		return do(apart("maker", "make it", false))
	})
	r, errs, code := s.prompted(t, "--permission-mode", "bypass", "-p", "send one")
	require.Equal(t, 0, code, errs)
	w := worktreesTold(t, s.server.await(t, parentTold("agent")))[`"maker"`].Worktree
	require.Equal(t, lifecycle.Worktree{Path: w.Path, Branch: w.Branch, Base: w.Base, Kept: true, Files: 1, Added: 1, Commits: 1}, w)
	printed := s.server.await(t, func(h heard) bool { return h.child("make") && h.answered("shell") }).resultsOf("shell")[0]
	require.Contains(t, printed, w.Path)
	require.Contains(t, gitAt(t, s.dir, "log", "--oneline", w.Branch), "more")
	require.NotContains(t, gitAt(t, s.dir, "log", "--oneline"), "more")
	rows := s.trees(t)
	require.Len(t, rows, 1)
	require.Equal(t, []int{1, 1, 0, 1}, []int{rows[0].Files, rows[0].Added, rows[0].Removed, rows[0].Commits})
	_, errs, code = run(t, s.dir, s.env, "rm", r.Session)
	require.Equal(t, 0, code)
	require.Equal(t, "pawl: its worktrees stay: "+filepath.Base(w.Path)+" (pawl worktrees says what is in them, and removes them)\n", errs)
	_, errs, code = run(t, s.dir, s.env, "worktrees", "rm", w.Path, "--discard")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "1 commit on branch "+w.Branch)
	require.Contains(t, errs, "--yes")
	out, errs, code := run(t, s.dir, s.env, "worktrees", "rm", w.Path, "--discard", "--yes")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "removed "+w.Path+"\n", out)
	require.NotContains(t, gitAt(t, s.dir, "branch"), w.Branch)
	require.Equal(t, r.Session, string(rows[0].Session))
}

// A key stops a subagent in its worktree like any other, and what it left without a change
// is gone.
func TestAStopLeavesNoUnchangedWorktree(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("look"):
			return say("I look").until(make(chan struct{}))
		case h.answered("agent"):
			return say("Stopped, it says.")
		}
		return do(apart("looker", "look at it", false))
	})
	x := s.open(t)
	x.prompt("send one")
	x.see("looker", "I look")
	x.type_(keyEsc)
	x.see("Stopped, it says.", "it is removed with its branch")
	require.Empty(t, s.trees(t))
	require.Equal(t, 1, strings.Count(gitAt(t, s.dir, "worktree", "list"), "\n"))
	x.rest()
	require.Equal(t, 0, x.quit())
}
