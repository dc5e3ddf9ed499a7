package stories

import (
	"encoding/json"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// shellIn is the shell_id in the newest result of a call of shell.
func shellIn(h modeltest.Request) string {
	var told struct {
		Shell string `json:"shell_id"`
	}
	_ = json.Unmarshal([]byte(h.ResultsOf("shell")[0]), &told) // what is none finds no shell
	return told.Shell
}

// What a session keeps is there for a subagent in a process of its own as for any.
func TestProcessHasTheShellsAndThePlanOfItsSession(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("serve") && h.Answered("shell_output"):
			return modeltest.Do(modeltest.Use("todo", modeltest.Object{"items": []modeltest.Object{{"text": "serve on", "state": "active"}}}))
		case h.Child("serve") && h.Answered("todo"):
			return modeltest.Say("It has served.")
		case h.Child("serve") && h.Answered("shell") && shellIn(h) != "":
			return modeltest.Do(modeltest.Use("shell_output", modeltest.Object{"shell_id": shellIn(h), "wait_ms": 60_000}))
		case h.Child("serve"):
			return modeltest.Do(behind("a short one", "echo up; exit 3"), behind("a watcher", "echo mark-shell; exec sleep 3333"))
		case h.Answered("task"):
			return modeltest.Say("Served.")
		}
		return modeltest.Do(task("serve", false))
	})
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "send one")
	require.Equal(t, 0, code, errs)
	read := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("serve") && h.Answered("shell_output") })
	require.Contains(t, read.ResultsOf("shell_output")[0], `"output":"up`)
	require.Contains(t, read.ResultsOf("shell_output")[0], `"exit_code":3`)
	requireUnmarked(t, s, "mark-shell") // it ends with the run
	require.Contains(t, exportOf(t, s, r.Session), `"run_end"`)
	var plan string
	require.NoError(t, openDatabase(t, s).QueryRow(`SELECT value FROM session_facts WHERE name = 'todo' AND session = ?`, r.Subagents[0].Agent).Scan(&plan))
	require.JSONEq(t, `[{"text":"serve on","state":"active"}]`, plan)
}

func TestSummaryInAProcessStatesItsPlanAndItsShells(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case wantsSummary(h):
			return modeltest.Say("Goal: to dig. " + strings.Repeat("Much was read. ", 40))
		case afterSummary(h):
			return modeltest.Say("I went on from the summary.")
		case h.Parent() && h.Answered("task"):
			return modeltest.Say("It went on.")
		case h.Parent():
			return modeltest.Do(task("dig to the bottom", false))
		}
		return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "numbers.txt"}), behind("a watcher", "exec sleep 5555"),
			modeltest.Use("todo", modeltest.Object{"items": []modeltest.Object{{"text": "count them", "state": "active"}}}))
	})
	s.Configured(t, `[models."`+s.Model+`"]`+"\ncontext = 9000\n")
	require.NoError(t, os.WriteFile(s.Dir+"/numbers.txt", []byte(strings.Repeat("one two three four five\n", 1500)), 0o600))
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "send one")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "I went on from the summary.", r.Subagents[0].Output)
	text := s.Server.Await(t, func(h modeltest.Request) bool { return afterSummary(h) }).Messages[0].Text
	for _, words := range []string{"- [active] count them", "- running: shell_id ", "exec sleep 5555"} {
		require.Contains(t, text, words)
	}
}

func TestShellsOfAProcessEndWhenItIsKilled(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("serve") && h.Answered("shell"):
			return modeltest.Say("It is up.").Until(make(chan struct{}))
		case h.Child("serve"):
			return modeltest.Do(behind("a watcher", "exec sleep 4444 >line"))
		case h.Answered("task"):
			return modeltest.Say("It was killed.")
		}
		return modeltest.Do(task("serve", false))
	})
	line := newLifeline(t, s)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("send one")
	x.See("a watcher", "It is up.")
	line.taken(t)
	watcher := watch(t, marked(s, "4444")...)
	require.NoError(t, syscall.Kill(workerOf(t, s), syscall.SIGKILL))
	watcher.gone(t)
	x.See("It was killed.")
	x.SeeNot("1 command") // its end is recorded a moment after it
	require.Equal(t, 0, x.Quit())
}

func TestShellKillEndsATask(t *testing.T) {
	t.Parallel()
	stuck := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("I have dug halfway").Until(make(chan struct{}))
		case h.Answered("shell_kill"):
			return modeltest.Say("Killed it.")
		case h.Answered("task"):
			answer := modeltest.Do(modeltest.Use("shell_kill", modeltest.Object{"task_id": processTelling(t, h, "task").Task})).Saying("Wait.")
			answer.Hold = stuck
			return answer
		}
		return modeltest.Do(task("dig to the bottom", true))
	})
	x := s.Open(t)
	x.Prompt("send one")
	x.See("Wait.", "I have dug halfway")
	process := watch(t, workerOf(t, s))
	close(stuck)
	got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("shell_kill")), "shell_kill")
	require.Equal(t, "canceled_by_agent", got.Status)
	require.Equal(t, "I have dug halfway", got.Output)
	require.NotEmpty(t, got.Task)
	require.Equal(t, 130, *got.ExitCode)
	process.gone(t)
	x.See("Killed it.")
	require.Equal(t, 0, x.Quit())
}

func TestQuestionOfABackgroundProcessIsDeniedOrAskedAsTheUserSaid(t *testing.T) {
	t.Parallel()
	script := func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make the file"):
			return wantsShell(h)
		case len(h.Notices()) > 0:
			return modeltest.Say("I have heard of it.")
		case h.Answered("agent"):
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(modeltest.Isolated("file making", "make the file", true))
	}
	t.Run("denied", func(t *testing.T) {
		t.Parallel()
		s := harness.NewStage(t, modeltest.Anthropic(), script)
		x := s.Open(t)
		x.Prompt("delegate it")
		x.See("1 denied", "I have heard of it.")
		told := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("make the file") && h.Answered("shell") })
		require.Contains(t, told.ResultsOf("shell")[0], "Denied")
		require.NoFileExists(t, s.Dir+"/made.txt")
		require.Equal(t, 0, x.Quit())
	})
	t.Run("asked", func(t *testing.T) {
		t.Parallel()
		s := harness.NewStage(t, modeltest.Anthropic(), script).With("PAWL_SUBAGENTS_BACKGROUND_PERMISSIONS=ask")
		x := s.Open(t)
		x.Prompt("delegate it")
		x.Asked()
		x.See("file making wants to use")
		x.Answer("y")
		x.See("I have heard of it.")
		require.FileExists(t, s.Dir+"/made.txt")
		require.Equal(t, 0, x.Quit())
	})
}

// Plan mode is a ceiling for as long as it holds: what was begun under it has the tools
// of servers once a person leaves it.
func TestProcessBegunInPlanModeHasTheServersWhenThatIsLeft(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("look below") && h.Answered("read"):
			return looks(h)
		case h.Child("look below") && h.Answered("mcp__disk__look"):
			return modeltest.Say("There are stones.")
		case h.Child("look below"):
			return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})).Until(release)
		case h.Answered("agent"):
			return modeltest.Say("It looked.")
		}
		return modeltest.Do(modeltest.Isolated("a look", "look below", false))
	})
	withOwnServers(t, s, `
[mcp.disk]
command = ["sh", "server.sh"]
env = {MARK = "`+mcpMark(s)+`"}
`)
	x := s.Open(t, "--permission-mode", "plan")
	x.Prompt("send one")
	s.Server.Await(t, modeltest.FromChild("look below"))
	x.Type("/permissions bypass", harness.KeyEnter)
	x.See("Allow every call without asking?", "yes, in this session")
	x.Type("y")
	x.See("permission mode: bypass")
	close(release)
	x.See("It looked.")
	h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("look below") && h.Answered("mcp__disk__look") })
	require.Equal(t, []string{"a heap of stones"}, h.ResultsOf("mcp__disk__look"))
	require.Equal(t, 0, x.Quit())
}
