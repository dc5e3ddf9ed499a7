package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// landStory is a session whose subagent has left a change of calc.go and a new file in its worktree.
func landStory(t *testing.T) (s *harness.Stage, session string, told worktreeTold) {
	t.Helper()
	s = oneApart(t, func(h modeltest.Request) modeltest.Reply {
		if h.Answered("write") {
			return modeltest.Say("Built it.")
		}
		return modeltest.Do(
			modeltest.Use("write", modeltest.Object{"path": "sub/new.go", "content": "package sub\n"}),
			modeltest.Use("shell", modeltest.Object{"command": "sed -i s/Adds/Subtracts/ README.md"}),
		)
	})
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "have it built")
	require.Equal(t, 0, code, errs)
	return s, r.Session, worktreesTold(t, s.Server.Await(t, modeltest.ParentTold("agent")))[`"builder"`]
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(t, err)
	return string(text)
}

func TestPawlLandBringsASubagentsChangesIntoTheDirtyFolder(t *testing.T) {
	t.Parallel()
	s, session, told := landStory(t)
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "README.md"), []byte("# Calc\n\nAdds numbers.\n\nMine.\n"), 0o600))
	out, errs, code := harness.Run(t, s.Dir, s.Env, "land", session, "--dry-run")
	require.Equal(t, 1, code, out+errs)
	require.Contains(t, out, "in conflict")
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "README.md"), []byte("# Calc\n\nAdds numbers.\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "mine.txt"), []byte("mine\n"), 0o600))
	gitAt(t, s.Dir, "add", "mine.txt")
	out, errs, code = harness.Run(t, s.Dir, s.Env, "land", session)
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "2 files landed in "+s.Dir+"; its worktree is removed")
	require.Equal(t, "# Calc\n\nSubtracts numbers.\n", read(t, s.Dir, "README.md"))
	require.Equal(t, "package sub\n", read(t, s.Dir, "sub/new.go"))
	require.Equal(t, " M README.md\nA  mine.txt\n?? sub/\n", gitAt(t, s.Dir, "status", "--porcelain"))
	require.NoDirExists(t, told.Worktree.Path)
	out, errs, code = harness.Run(t, s.Dir, s.Env, "land", session, "--agent", told.AgentID)
	require.Equal(t, 1, code, out)
	require.Contains(t, errs, `everything that the subagent "builder" changed is landed`)
	_, errs, code = harness.Run(t, s.Dir, s.Env, "verify", session)
	require.Equal(t, 0, code, errs)
}

func TestPawlLandSaysItAllToPrograms(t *testing.T) {
	t.Parallel()
	s, session, told := landStory(t)
	out, errs, code := harness.Run(t, s.Dir, s.Env, "land", session, "sub", "--commit", "-m", "Land the sub", "--json")
	require.Equal(t, 0, code, errs)
	var line struct {
		Type, Folder, Worktree string
		Files                  []struct{ Path, State, Why string }
		Landed                 struct {
			Left    []string
			Commit  string
			Removed bool
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &line), out)
	require.Equal(t, []any{"landing", s.Dir, told.Worktree.Path, false}, []any{line.Type, line.Folder, line.Worktree, line.Landed.Removed})
	require.Equal(t, []string{"README.md"}, line.Landed.Left)
	require.Equal(t, "Land the sub\n", gitAt(t, s.Dir, "log", "-1", "--format=%s"))
	require.Equal(t, line.Landed.Commit+"\n", gitAt(t, s.Dir, "rev-parse", "HEAD"))
	require.Empty(t, gitAt(t, s.Dir, "status", "--porcelain"))
	out, errs, code = harness.Run(t, s.Dir, s.Env, "land", told.AgentID, "REDME.md")
	require.Equal(t, 1, code, out)
	require.Contains(t, errs, `the subagent changed no file "REDME.md"; did you mean "README.md"?`)
	_, errs, code = harness.Run(t, s.Dir, s.Env, "land", session, "-m", "x")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "-m goes with --commit")
}

// On the screen: the changes are opened from the subagent's line, one conflicts and goes back, a file is
// left out, and what is chosen lands while another program looks on over the socket.
func TestChangesAreLandedFromTheScreenAndConflictsGoBack(t *testing.T) {
	t.Parallel()
	s := oneApart(t, func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Answered("read"):
			return modeltest.Say("It is up to date.")
		case h.Asked("could not all be brought into the folder"):
			return modeltest.Do(
				modeltest.Use("shell", modeltest.Object{"command": "printf '# Calc\\n\\nSubtracts figures.\\n' > README.md"}),
				modeltest.Use("read", modeltest.Object{"path": "README.md"}),
			)
		case h.Answered("write"):
			return modeltest.Say("Built it.")
		}
		return modeltest.Do(
			modeltest.Use("write", modeltest.Object{"path": "sub/new.go", "content": "package sub\n"}),
			modeltest.Use("write", modeltest.Object{"path": "more.go", "content": "package calc\n"}),
			modeltest.Use("shell", modeltest.Object{"command": "sed -i s/Adds/Subtracts/ README.md"}),
		)
	})
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("Done.", "changes to land")
	x.Rest()
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "README.md"), []byte("# Calc\n\nAdds figures.\n"), 0o600))
	x.Type(harness.KeyDown)
	x.See("l changes")
	x.Type("l")
	x.See("worktree of builder", "2 files to land, 1 file in conflict", "[x] README.md", "in conflict", `in the folder "Adds figures."`)
	x.Type(harness.KeyDown, " ")
	x.See("[ ] more.go")
	x.Type("l")
	x.See("l again lands 2 files in the folder")
	x.Type("l")
	x.See("1 file landed; 1 file could not be merged: b sends it back")
	require.Equal(t, "package sub\n", read(t, s.Dir, "sub/new.go"))
	require.NoFileExists(t, filepath.Join(s.Dir, "more.go"))

	session := treesOf(t, s)[0].Session
	out, errs, code := harness.Run(t, s.Dir, s.Env, "land", session, "--dry-run", "README.md")
	require.Equal(t, 1, code, errs)
	require.Contains(t, out, "README.md:3")

	x.Type("b")
	x.See("sent back: 1 file")
	s.Server.Await(t, func(h modeltest.Request) bool {
		return h.Child("build") && h.Answered("read")
	})
	x.See("2 files to land, 1 file already there")
	out, errs, code = harness.Run(t, s.Dir, s.Env, "land", session)
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "its worktree is removed")
	require.Equal(t, "# Calc\n\nSubtracts figures.\n", read(t, s.Dir, "README.md"))
	x.Type("q")
	x.SeeNot("Changes ·")
	x.Type(harness.KeyEsc)
	x.SeeNot("del hide")
	require.Equal(t, 0, x.Quit())
}

// Killed at each of its steps, a landing with a commit is found as before or as after by whoever opens
// the session next: files, branch, index and worktree.
func TestALandingThatIsKilledIsAsBeforeOrAsAfter(t *testing.T) {
	t.Parallel()
	s, session, told := landStory(t)
	path, err := harness.WithFailpoints()
	require.NoError(t, err)
	head := gitAt(t, s.Dir, "rev-parse", "HEAD")
	for _, point := range []string{"apply.journal", "apply.staged", "apply.file", "apply.record", "landing.applied", "landing.committed"} {
		out, errs, code := harness.RunBy(t, path, "", s.Dir, append(s.Env, "FAILPOINTS="+point+"=kill"), "land", session, "--commit")
		require.Equal(t, -1, code, point+": "+out+errs)
		out, errs, code = harness.Run(t, s.Dir, s.Env, "land", session, "--dry-run")
		require.Equal(t, 0, code, point+": "+errs)
		require.Contains(t, out, "2 files to land", point)
		require.Empty(t, gitAt(t, s.Dir, "status", "--porcelain"), point)
		require.Equal(t, head, gitAt(t, s.Dir, "rev-parse", "HEAD"), point)
		require.DirExists(t, told.Worktree.Path, point)
	}
	_, _, code := harness.RunBy(t, path, "", s.Dir, append(s.Env, "FAILPOINTS=landing.recorded=kill"), "land", session, "--commit")
	require.Equal(t, -1, code)
	_, errs, code := harness.Run(t, s.Dir, s.Env, "land", told.AgentID)
	require.Equal(t, 1, code)
	require.Contains(t, errs, "is landed, and its worktree is removed")
	require.Empty(t, gitAt(t, s.Dir, "status", "--porcelain"))
	require.NotEqual(t, head, gitAt(t, s.Dir, "rev-parse", "HEAD"))
	require.Equal(t, "package sub\n", read(t, s.Dir, "sub/new.go"))
	require.Empty(t, keptTrees(t, s, 0))
	require.NoDirExists(t, told.Worktree.Path)
}

// A command that runs in the folder while a person lands there has not written what was landed: the landing
// can be taken back.
func TestWhatIsLandedBesideACommandIsNotTheCommands(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("build") && h.Answered("shell"):
			return modeltest.Say("Built it.")
		case h.Child("build"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "sed -i s/Adds/Subtracts/ README.md; mkdir sub; ln -s ../calc.go sub/link"}))
		case len(h.Notices()) > 0:
			return modeltest.Say("It has ended.")
		case h.Answered("shell"):
			return modeltest.Say("Both are done.")
		case h.Answered("agent"):
			return modeltest.Do(behind("the server", "mkfifo line; read x < line; rm line; echo served > served.txt"))
		}
		return modeltest.Do(apart("builder", "build it", false))
	})
	x := s.Open(t, "--trust", "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("Both are done.")
	x.Rest()
	session := treesOf(t, s)[0].Session
	out, errs, code := harness.Run(t, s.Dir, s.Env, "land", session)
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "2 files landed")
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "line"), []byte("end\n"), 0o600))
	x.See("It has ended.")
	x.Rest()
	require.Equal(t, []string{"command README.md, which stood there, elsewhere", "command served.txt", "command sub/link, elsewhere"}, changedBy(t, s, session))
	require.Equal(t, 0, x.Quit())
}
