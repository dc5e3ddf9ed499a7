package stories

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// apart is a call that starts a subagent in a worktree of its own.
func apart(description, prompt string, background bool) modeltest.Call {
	return modeltest.Use("agent", modeltest.Object{"description": description, "prompt": prompt, "isolation": "worktree", "run_in_background": background})
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

// keptTree is a worktree as its run's end describes it.
type keptTree struct {
	Path, Branch, Base    string
	Kept                  bool
	Files, Added, Removed int
	Commits, Behind       int
}

// worktreeTold is what a tool result or the list says of a worktree.
type worktreeTold struct {
	AgentID  string `json:"agent_id"`
	Status   string
	Message  string
	Worktree keptTree
}

func worktreesTold(t *testing.T, h modeltest.Request) map[string]worktreeTold {
	t.Helper()
	told := map[string]worktreeTold{}
	for _, text := range h.ResultsOf("agent") {
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

// treesOf is pawl worktrees --json.
func treesOf(t *testing.T, s *harness.Stage) []listedTree {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, "worktrees", "--json")
	require.Equal(t, 0, code, errs)
	var list struct{ Worktrees []listedTree }
	require.NoError(t, json.Unmarshal([]byte(out), &list), out)
	return list.Worktrees
}

// keptTrees are the worktrees that are left, once there are not more than so many. A program that ends waits
// for some seconds only for what it removes; the next one goes on with that as long as it is open.
func keptTrees(t *testing.T, s *harness.Stage, most int) []listedTree {
	t.Helper()
	rows := treesOf(t, s)
	if len(rows) <= most {
		return rows
	}
	x := s.Open(t)
	for late := time.Now().Add(modeltest.Patience); len(rows) > most && time.Now().Before(late); {
		rows = treesOf(t, s)
	}
	require.Equal(t, 0, x.Quit())
	return rows
}

// Two at once: what one makes is kept on its branch and the parent's checkout stays as it
// was; of the one that makes nothing, nothing is left.
func TestWorkInAWorktreeIsKeptOnItsBranchAndNothingOfNone(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make") && h.Answered("write"):
			return modeltest.Say("Made it.")
		case h.Child("make"):
			return modeltest.Do(modeltest.Use("write", modeltest.Object{"path": "made.go", "content": "package calc\n\nvar Made int\n"}))
		case h.Child("look"):
			return modeltest.Say("Seen it.")
		case h.Answered("agent"):
			return modeltest.Say("Both are done.")
		}
		return modeltest.Do(apart("Maker of Things!", "make it", false), apart("looker", "look at it", false))
	})
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "draft.txt"), []byte("not committed"), 0o600))
	before := gitAt(t, s.Dir, "status", "--porcelain")
	r, errs, code := s.Prompted(t, "--permission-mode", "accept-edits", "-p", "send two")
	require.Equal(t, 0, code, errs)

	told := worktreesTold(t, s.Server.Await(t, modeltest.ParentTold("agent")))
	made, looked := told[`"Maker`], told[`"looker"`]
	w := made.Worktree
	require.Equal(t, keptTree{Path: w.Path, Branch: "pawl/" + filepath.Base(w.Path), Base: w.Base, Kept: true, Files: 1, Added: 3, Behind: 1}, w)
	require.Regexp(t, `^maker-of-things-[0-9a-f]{6}$`, filepath.Base(w.Path))
	require.Equal(t, filepath.Join(s.Home, "data", "worktrees", r.Session), filepath.Dir(w.Path))
	require.Contains(t, made.Message, "1 file +3 −0, not committed, kept in "+w.Path)
	require.Contains(t, made.Message, "1 changed files of your checkout that are not committed were not in it")
	rows := keptTrees(t, s, 1)
	require.Contains(t, looked.Message, "nothing was changed")
	require.FileExists(t, filepath.Join(w.Path, "made.go"))
	require.NoFileExists(t, filepath.Join(w.Path, "draft.txt"))
	require.NoDirExists(t, looked.Worktree.Path)
	require.Equal(t, before, gitAt(t, s.Dir, "status", "--porcelain"), "the parent's checkout")
	require.NotContains(t, gitAt(t, s.Dir, "branch"), looked.Worktree.Branch)
	child := s.Server.Await(t, modeltest.FromChild("make"))
	require.Contains(t, child.System, "folder: "+w.Path)
	require.Contains(t, child.System, "a git worktree of your own")

	story := exportOf(t, s, r.Session)
	require.Contains(t, story, `"branch":"`+w.Branch+`"`)
	require.Contains(t, story, `"worktree":{"path":"`+w.Path)
	shown, _, _ := harness.Run(t, s.Dir, s.Env, "show", r.Session)
	require.Contains(t, shown, "on "+w.Branch)

	require.Len(t, rows, 1)
	require.Equal(t, w.Path, rows[0].Path)
	require.Equal(t, made.AgentID, string(rows[0].Agent))
	require.True(t, rows[0].Uncommitted)
	_, errs, code = harness.Run(t, s.Dir, s.Env, "worktrees", "rm", filepath.Base(w.Path))
	require.Equal(t, 1, code)
	require.Contains(t, errs, "uncommitted changes: made.go")
	gitAt(t, w.Path, "add", ".")
	gitAt(t, w.Path, "commit", "-qm", "made")
	gitAt(t, s.Dir, "merge", "-q", w.Branch)
	out, errs, code := harness.Run(t, s.Dir, s.Env, "worktrees", "rm", "--all-unchanged")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "removed "+w.Path+"\n", out)
	require.NoDirExists(t, w.Path)
	require.Empty(t, treesOf(t, s))
	require.Equal(t, 1, strings.Count(gitAt(t, s.Dir, "worktree", "list"), "\n"))
	_, errs, code = harness.Run(t, s.Dir, s.Env, "rm", r.Session)
	require.Equal(t, 0, code)
	require.Empty(t, errs, "it has left none")
}

// A resumed agent finds what it made, and so does one of a Pawl that was killed; what
// the dead one left without a change is gone with the next start.
func TestAWorktreeOutlastsACrashAndItsAgentGoesOnInIt(t *testing.T) {
	t.Parallel()
	stillThere := func(h modeltest.Request) string {
		for _, notice := range h.Notices() {
			if strings.Contains(notice, "It is still there.") {
				return notice
			}
		}
		return ""
	}
	resumed := func(h modeltest.Request) bool { return strings.Contains(string(h.Raw), "carry on with it") }
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make") && resumed(h) && len(h.ResultsOf("read")) > 0:
			return modeltest.Say("It is still there.")
		case h.Child("make") && resumed(h):
			return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "made.go"}))
		case h.Child("make") && h.Answered("write"):
			return modeltest.Say("I have made it").Until(make(chan struct{}))
		case h.Child("make"):
			return modeltest.Do(modeltest.Use("write", modeltest.Object{"path": "made.go", "content": "package calc // mine\n"}))
		case h.Child("look"):
			return modeltest.Say("I look").Until(make(chan struct{}))
		case stillThere(h) != "":
			return modeltest.Say("It is.")
		case h.Answered("agent_send"):
			return modeltest.Say("Sent.")
		case h.Asked("again"):
			return modeltest.Do(modeltest.Use("agent_send", modeltest.Object{"agent_id": harness.AgentOf(h), "message": "carry on with it"}))
		case h.Answered("agent"):
			return modeltest.Say("They are on their way.")
		}
		return modeltest.Do(apart("maker", "make it", true), apart("looker", "look at it", true))
	})
	x := s.Open(t, "--permission-mode", "accept-edits")
	x.Prompt("send two")
	x.See("maker", "I have made it", "I look", "They are on their way.", "on pawl/maker")
	x.Crash()
	rows := treesOf(t, s)
	require.Len(t, rows, 2)

	r, errs, code := s.Prompted(t, "--permission-mode", "accept-edits", "--continue", "-p", "again")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "It is.", r.Output)
	again := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("make") && resumed(h) && len(h.ResultsOf("read")) > 0 })
	require.Contains(t, again.ResultsOf("read")[0], "// mine")
	notice := stillThere(s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && stillThere(h) != "" }))
	rows = keptTrees(t, s, 1)
	require.Len(t, rows, 1, "the one without a change was swept")
	require.Contains(t, notice, "<worktree><path>"+rows[0].Path+"</path><branch>"+rows[0].Branch+"</branch></worktree>")
	require.Equal(t, "maker", rows[0].Description)
	require.Equal(t, 2, strings.Count(gitAt(t, s.Dir, "worktree", "list"), "\n"))
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
			s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				if h.Answered("agent") {
					return modeltest.Say("I do it myself.")
				}
				return modeltest.Do(apart("maker", "make it", false))
			})
			c.before(s.Dir)
			r, errs, code := s.Prompted(t, "-p", "send one")
			require.Equal(t, 0, code, errs)
			require.Empty(t, r.Subagents)
			result := s.Server.Await(t, modeltest.ParentTold("agent")).ResultsOf("agent")[0]
			require.Contains(t, result, "No subagent was started: ")
			require.Contains(t, result, c.want)
			require.NoFileExists(t, filepath.Join(s.Dir, "mark"))
			require.Empty(t, treesOf(t, s))
		})
	}
}

// Two in one checkout that write one file: both models and both cards are told of it.
func TestTwoSubagentsThatWriteOneFileAreTold(t *testing.T) {
	t.Parallel()
	wrote, over := make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(wrote) })
	replaced := func(h modeltest.Request) bool { return strings.Contains(string(h.Raw), "Replaced all of calc.go") }
	look, done := modeltest.Use("read", modeltest.Object{"path": "calc.go"}), func(text string) modeltest.Reply { return modeltest.Say(text).Until(over) }
	writing := func(who string) modeltest.Call {
		return modeltest.Use("write", modeltest.Object{"path": "calc.go", "content": "package calc // " + who + "\n"})
	}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("first") && h.Answered("read") && replaced(h):
			return modeltest.Say("The first is done.")
		case h.Child("first") && h.Answered("write"):
			first()
			return modeltest.Do(look).Until(over)
		case h.Child("first") && h.Answered("read"):
			return modeltest.Do(writing("first"))
		case h.Child("second") && h.Answered("write"):
			return done("The second is done.")
		case h.Child("second") && h.Answered("read"):
			return modeltest.Do(writing("second"))
		case h.Child("second"):
			return modeltest.Do(look).Until(wrote)
		case h.Child("first"):
			return modeltest.Do(look)
		case len(h.Notices()) > 0:
			return modeltest.Say("Noted.")
		case h.Answered("agent"):
			return modeltest.Say("Both are at it.")
		}
		return modeltest.Do(modeltest.Launch("one", "first"), modeltest.Launch("two", "second"))
	})
	x := s.Open(t, "--permission-mode", "accept-edits")
	x.Prompt("send two")
	x.See("write overlap", "Both are at it.")
	h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("second") && h.Answered("write") })
	require.Contains(t, string(h.Raw), "calc.go was also changed by the subagent")
	close(over)
	h = s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("first") && h.Answered("read") && replaced(h) })
	require.Contains(t, string(h.Raw), "calc.go was also changed by the subagent")
	x.See("The first is done.", "The second is done.")
	x.SeeNot("not delivered")
	x.SeeMatch(`(?s)Agent "one" completed.*Agent "two" completed|Agent "two" completed.*Agent "one" completed|2 subagents completed`) // else a later wake-up meets the key
	require.Equal(t, 0, x.Quit())
}

// A command works in the worktree, and its commit is on the branch, also where a sandbox
// confines it.
func TestACommandInAWorktreeCommitsOnItsBranch(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make") && h.Answered("shell"):
			return modeltest.Say("Committed.")
		case h.Child("make"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo // more >> calc.go && git -c user.name=x -c user.email=x@x commit -qam more && pwd"}))
		case h.Answered("agent"):
			return modeltest.Say("Done.")
		}
		return modeltest.Do(apart("maker", "make it", false))
	})
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "send one")
	require.Equal(t, 0, code, errs)
	w := worktreesTold(t, s.Server.Await(t, modeltest.ParentTold("agent")))[`"maker"`].Worktree
	require.Equal(t, keptTree{Path: w.Path, Branch: w.Branch, Base: w.Base, Kept: true, Files: 1, Added: 1, Commits: 1}, w)
	printed := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("make") && h.Answered("shell") }).ResultsOf("shell")[0]
	require.Contains(t, printed, w.Path)
	require.Contains(t, gitAt(t, s.Dir, "log", "--oneline", w.Branch), "more")
	require.NotContains(t, gitAt(t, s.Dir, "log", "--oneline"), "more")
	rows := treesOf(t, s)
	require.Len(t, rows, 1)
	require.Equal(t, []int{1, 1, 0, 1}, []int{rows[0].Files, rows[0].Added, rows[0].Removed, rows[0].Commits})
	_, errs, code = harness.Run(t, s.Dir, s.Env, "rm", r.Session)
	require.Equal(t, 0, code)
	require.Equal(t, "pawl: its worktrees stay: "+filepath.Base(w.Path)+" (pawl worktrees says what is in them, and removes them)\n", errs)
	_, errs, code = harness.Run(t, s.Dir, s.Env, "worktrees", "rm", w.Path, "--discard")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "1 commit on branch "+w.Branch)
	require.Contains(t, errs, "--yes")
	out, errs, code := harness.Run(t, s.Dir, s.Env, "worktrees", "rm", w.Path, "--discard", "--yes")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "removed "+w.Path+"\n", out)
	require.NotContains(t, gitAt(t, s.Dir, "branch"), w.Branch)
	require.Equal(t, r.Session, string(rows[0].Session))
}

// A key stops a subagent in its worktree like any other, and what it left without a change
// is gone.
func TestAStopLeavesNoUnchangedWorktree(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look"):
			return modeltest.Say("I look").Until(make(chan struct{}))
		case h.Answered("agent"):
			return modeltest.Say("Stopped, it says.")
		}
		return modeltest.Do(apart("looker", "look at it", false))
	})
	x := s.Open(t)
	x.Prompt("send one")
	x.See("looker", "I look")
	x.Type(harness.KeyEsc)
	x.See("Stopped, it says.")
	if x.SeeMatch(`it is removed with its branch|git took too long`)[0] == "git took too long" {
		t.Skip("git took longer on this busy machine than a stop waits for it: the worktree is kept, as it says")
	}
	x.Rest()
	require.Equal(t, 0, x.Quit())
	require.Empty(t, keptTrees(t, s, 0))
	require.Equal(t, 1, strings.Count(gitAt(t, s.Dir, "worktree", "list"), "\n"))
}
