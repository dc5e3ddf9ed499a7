package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// changesAll changes files with its tools and a command, and has a subagent change one.
func changesAll(h modeltest.Request) modeltest.Reply {
	use := func(path, content string) modeltest.Call {
		return modeltest.Use("write", modeltest.Object{"path": path, "content": content})
	}
	switch {
	case h.Child("write theirs"):
		if h.Answered("write") {
			return modeltest.Say("It is written.")
		}
		return modeltest.Do(use("theirs.txt", "by the subagent\n"))
	case h.Asked("again"):
		return modeltest.Say("As you like.")
	case h.Answered("agent"):
		return modeltest.Say("All is changed.")
	case h.Answered("shell"):
		return modeltest.Do(modeltest.Delegate("theirs", "write theirs"))
	case h.Answered("write"):
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo by the command | tee told.txt > edited.txt; rm old.txt"}))
	case h.Asked("change it"):
		return modeltest.Do(use("mine.txt", "by the agent\n"))
	}
	return modeltest.Say("Hello.")
}

// holds is what a file of the stage's folder holds; empty: there is none.
func holds(t *testing.T, s *harness.Stage, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(s.Dir, name))
	if os.IsNotExist(err) {
		return ""
	}
	require.NoError(t, err)
	return string(content)
}

func put(t *testing.T, s *harness.Stage, name, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, name), []byte(content), 0o600))
}

// A person takes back what an agent, its command and its subagent did, keeps an edit of their own, and
// takes the rewind back again.
func TestASessionIsTakenBackAndTheRewindTooAndAPersonsEditIsLeft(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), changesAll)
	put(t, s, "old.txt", "old\n")
	put(t, s, "edited.txt", "first\n")
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("hello")
	x.See("Hello.")
	x.Rest()
	x.Prompt("change it all")
	x.See("All is changed.")
	x.Rest()
	put(t, s, "edited.txt", "by a person\n")

	x.Type(harness.KeyEsc)
	x.See("esc again lists where the session can be taken back to")
	x.Type(harness.KeyEsc)
	x.See("Take back to before", "change it all", "5 files changed since")
	x.Type(harness.KeyEnter)
	x.See("conversation and files", "[ ] edited.txt  left: changed since by somebody else", "[x] mine.txt", "theirs.txt", "told.txt", "[x] old.txt", "4 files put back, 1 left")
	x.Type(harness.KeyEnter)
	x.See("taken back: the conversation and the files", "4 files put back, 1 left", "taken back: change it all")
	for name, want := range map[string]string{"mine.txt": "", "told.txt": "", "theirs.txt": "", "old.txt": "old\n", "edited.txt": "by a person\n"} {
		require.Equal(t, want, holds(t, s, name), name)
	}
	seeLine(x, "change it all")
	x.Type(harness.KeyCtrlU)
	x.Prompt("now again")
	x.See("As you like.")
	x.Rest()
	asked := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && h.Asked("now again") })
	require.NotContains(t, string(asked.Raw), "change it all")
	require.Contains(t, string(asked.Raw), "The user has taken the conversation back to here")
	require.Contains(t, string(asked.Raw), "edited.txt (changed since by somebody else)")

	x.Prompt("/rewind")
	x.See("rewind: change it all")
	x.Type("rewind", harness.KeyEnter)
	x.See("conversation and files", "[x] mine.txt")
	x.Type(harness.KeyEnter)
	x.See("taken back: now again")
	x.SeeNot("taken back: change it all")
	for name, want := range map[string]string{
		"mine.txt": "by the agent\n", "told.txt": "by the command\n", "theirs.txt": "by the subagent\n", "old.txt": "", "edited.txt": "by a person\n",
	} {
		require.Equal(t, want, holds(t, s, name), name)
	}
	x.Prompt("and again")
	x.See("As you like.")
	x.Rest()
	asked = s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && h.Asked("and again") })
	require.Contains(t, string(asked.Raw), "change it all")
	require.NotContains(t, string(asked.Raw), "now again")
	require.Equal(t, 0, x.Quit())

	out, errs, code := harness.Run(t, s.Dir, s.Env, "export", latest(t, s), "--format", "json", "-o", filepath.Join(t.TempDir(), "all.json"))
	require.Zero(t, code, "%s%s", out, errs)
}

// latest is the id of the stage's only session.
func latest(t *testing.T, s *harness.Stage) string {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, "sessions")
	require.Zero(t, code, errs)
	return strings.Fields(out)[0]
}

func TestASessionIsTakenBackFromTheCommandLineAlsoWhileItIsOpen(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), changesAll)
	put(t, s, "old.txt", "old\n")
	put(t, s, "edited.txt", "first\n")
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("change it all")
	x.See("All is changed.")
	x.Rest()
	put(t, s, "edited.txt", "by a person\n")

	out, errs, code := harness.Run(t, s.Dir, s.Env, "rewind", "--json")
	require.Zero(t, code, errs)
	var listed struct {
		Points []struct {
			Seq     int
			Text    string
			Changed int `json:"files_changed_since"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &listed))
	require.Len(t, listed.Points, 1)
	require.Equal(t, 5, listed.Points[0].Changed)

	out, errs, code = harness.Run(t, s.Dir, s.Env, "rewind", "--to", "1", "--dry-run")
	require.Zero(t, code, errs)
	require.Contains(t, out, "Nothing was changed")
	require.Equal(t, "by the agent\n", holds(t, s, "mine.txt"))
	_, errs, code = harness.Run(t, s.Dir, s.Env, "rewind", "--to", "2")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "record 2 is no prompt, landing or rewind of this session")

	out, errs, code = harness.Run(t, s.Dir, s.Env, "rewind", "--to", "1", "--files")
	require.Zero(t, code, errs)
	require.Contains(t, out, "taken back: the files")
	require.Empty(t, holds(t, s, "mine.txt"))
	x.See("4 files")
	require.Equal(t, 0, x.Quit())
	s.EndHosts(t)

	out, errs, code = harness.Run(t, s.Dir, s.Env, "rewind", "--to", "1", "--force-file", "edited.txt")
	require.Zero(t, code, errs)
	require.Contains(t, out, "taken back: the conversation and the files")
	require.Equal(t, "first\n", holds(t, s, "edited.txt"))
}

// The files of one subagent alone go back, and no command that runs later is taken for who did it.
func TestTheFilesOfOneSubagentAreTakenBackAndNoCommandIsBlamed(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Parent() && h.Asked("run one"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo more > more.txt"}))
		case h.Parent() && h.Answered("shell") && strings.Contains(string(h.Raw), "run one"):
			return modeltest.Say("It has run.")
		}
		return changesAll(h)
	})
	put(t, s, "old.txt", "old\n")
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("change it all")
	x.See("All is changed.")
	x.Rest()
	var by string
	for _, f := range changesOf(t, s) {
		if f.Path == "theirs.txt" {
			by = f.Changes[0].Session
		}
	}
	out, errs, code := harness.Run(t, s.Dir, s.Env, "rewind", by, "--to", "1")
	require.Zero(t, code, errs)
	require.Contains(t, out, "1 file put back")
	require.Empty(t, holds(t, s, "theirs.txt"))
	require.Equal(t, "by the agent\n", holds(t, s, "mine.txt"))

	x.Prompt("run one")
	x.See("It has run.")
	x.Rest()
	asked := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && h.Asked("run one") })
	require.Contains(t, string(asked.Raw), "The user has put files back")
	require.Equal(t, 0, x.Quit())
	for _, f := range changesOf(t, s) {
		for _, c := range f.Changes {
			if f.Path == "theirs.txt" {
				require.NotEqual(t, "command", c.Source, "%v", f)
			}
		}
	}
}

// changedFile is a file as "pawl changes --json" has it.
type changedFile struct {
	Path    string
	Changes []struct{ Session, Source string }
}

func changesOf(t *testing.T, s *harness.Stage) []changedFile {
	t.Helper()
	out, errs, code := harness.Run(t, s.Dir, s.Env, "changes", "--json")
	require.Zero(t, code, errs)
	var listed struct{ Files []changedFile }
	require.NoError(t, json.Unmarshal([]byte(out), &listed))
	require.NotEmpty(t, listed.Files)
	return listed.Files
}
