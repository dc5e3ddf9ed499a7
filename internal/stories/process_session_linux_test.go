package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/lifecycle"
	"pawl/store"
)

// shellIn is the shell_id in the newest result of a call of shell.
func shellIn(h heard) string {
	var told struct {
		Shell string `json:"shell_id"`
	}
	_ = json.Unmarshal([]byte(h.resultsOf("shell")[0]), &told) // what is none finds no shell
	return told.Shell
}

// What a session keeps is there for a subagent in a process of its own as for any.
func TestProcessHasTheShellsAndThePlanOfItsSession(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("serve") && h.answered("shell_output"):
			return do(use("todo", object{"items": []object{{"text": "serve on", "state": "active"}}}))
		case h.child("serve") && h.answered("todo"):
			return say("It has served.")
		case h.child("serve") && h.answered("shell") && shellIn(h) != "":
			return do(use("shell_output", object{"shell_id": shellIn(h), "wait_ms": 10_000}))
		case h.child("serve"):
			return do(behind("a short one", "echo up; exit 3"), behind("a watcher", "echo mark-shell; exec sleep 3333"))
		case h.answered("task"):
			return say("Served.")
		}
		return do(task("serve", false))
	})
	r, errs, code := s.prompted(t, "--permission-mode", "bypass", "-p", "send one")
	require.Equal(t, 0, code, errs)
	read := s.server.await(t, func(h heard) bool { return h.child("serve") && h.answered("shell_output") })
	require.Contains(t, read.resultsOf("shell_output")[0], `"output":"up`)
	require.Contains(t, read.resultsOf("shell_output")[0], `"exit_code":3`)
	require.Empty(t, s.marked("mark-shell"), "it ends with the run")
	require.Contains(t, s.story(t, r.Session), `"run_end"`)
	db, err := store.Open(t.Context(), filepath.Join(s.home, "data", "pawl.db"), store.Options{})
	require.NoError(t, err)
	defer db.Close()
	plan, err := db.SessionFact(t.Context(), lifecycle.SessionID(r.Subagents[0].Agent), store.FactTodo)
	require.NoError(t, err)
	require.JSONEq(t, `[{"text":"serve on","state":"active"}]`, plan)
}

func TestSummaryInAProcessStatesItsPlanAndItsShells(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.wantsSummary():
			return say("Goal: to dig. " + strings.Repeat("Much was read. ", 40))
		case h.afterSummary():
			return say("I went on from the summary.")
		case h.parent() && h.answered("task"):
			return say("It went on.")
		case h.parent():
			return do(task("dig to the bottom", false))
		}
		return do(use("read", object{"path": "numbers.txt"}), behind("a watcher", "exec sleep 5555"),
			use("todo", object{"items": []object{{"text": "count them", "state": "active"}}}))
	})
	s.configured(t, `[models."`+s.model+`"]`+"\ncontext = 9000\n")
	require.NoError(t, os.WriteFile(s.dir+"/numbers.txt", []byte(strings.Repeat("one two three four five\n", 1500)), 0o600))
	r, errs, code := s.prompted(t, "--permission-mode", "bypass", "-p", "send one")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "I went on from the summary.", r.Subagents[0].Output)
	text := s.server.await(t, func(h heard) bool { return h.afterSummary() }).messages[0].text
	for _, words := range []string{"- [active] count them", "- running: shell_id ", "exec sleep 5555"} {
		require.Contains(t, text, words)
	}
}

func TestShellsOfAProcessEndWhenItIsKilled(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("serve") && h.answered("shell"):
			return say("It is up.").until(make(chan struct{}))
		case h.child("serve"):
			return do(behind("a watcher", "exec sleep 4444"))
		case h.answered("task"):
			return say("It was killed.")
		}
		return do(task("serve", false))
	})
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("send one")
	x.see("a watcher", "It is up.")
	watcher := watch(t, s.marked("4444")...)
	require.NoError(t, syscall.Kill(s.worker(t), syscall.SIGKILL))
	watcher.gone(t)
	x.see("It was killed.")
	require.Equal(t, 0, x.quit())
}

func TestShellKillEndsATask(t *testing.T) {
	t.Parallel()
	stuck := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"):
			return say("I have dug halfway").until(make(chan struct{}))
		case h.answered("shell_kill"):
			return say("Killed it.")
		case h.answered("task"):
			answer := do(use("shell_kill", object{"task_id": processTelling(t, h, "task").Task})).saying("Wait.")
			answer.hold = stuck
			return answer
		}
		return do(task("dig to the bottom", true))
	})
	x := s.open(t)
	x.prompt("send one")
	x.see("Wait.", "I have dug halfway")
	process := watch(t, s.worker(t))
	close(stuck)
	got := processTelling(t, s.server.await(t, parentTold("shell_kill")), "shell_kill")
	require.Equal(t, "canceled_by_agent", got.Status)
	require.Equal(t, "I have dug halfway", got.Output)
	require.NotEmpty(t, got.Task)
	require.Equal(t, 130, *got.ExitCode)
	process.gone(t)
	x.see("Killed it.")
	require.Equal(t, 0, x.quit())
}

func TestQuestionOfABackgroundProcessIsDeniedOrAskedAsTheUserSaid(t *testing.T) {
	t.Parallel()
	script := func(h heard) reply {
		switch {
		case h.child("make the file"):
			return wantsShell(h)
		case len(h.notices()) > 0:
			return say("I have heard of it.")
		case h.answered("agent"):
			return say("It is on its way.")
		}
		return do(isolated("file making", "make the file", true))
	}
	t.Run("denied", func(t *testing.T) {
		t.Parallel()
		s := set(t, anthropicProtocol(), script)
		x := s.open(t)
		x.prompt("delegate it")
		x.see("1 denied", "I have heard of it.")
		told := s.server.await(t, func(h heard) bool { return h.child("make the file") && h.answered("shell") })
		require.Contains(t, told.resultsOf("shell")[0], "Denied")
		require.NoFileExists(t, s.dir+"/made.txt")
		require.Equal(t, 0, x.quit())
	})
	t.Run("asked", func(t *testing.T) {
		t.Parallel()
		s := set(t, anthropicProtocol(), script).with("PAWL_SUBAGENTS_BACKGROUND_PERMISSIONS=ask")
		x := s.open(t)
		x.prompt("delegate it")
		x.asked()
		x.see("file making wants to use")
		x.type_("y")
		x.see("I have heard of it.")
		require.FileExists(t, s.dir+"/made.txt")
		require.Equal(t, 0, x.quit())
	})
}

// Plan mode is a ceiling for as long as it holds: what was begun under it has the tools
// of servers once a person leaves it.
func TestProcessBegunInPlanModeHasTheServersWhenThatIsLeft(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("look below") && h.answered("read"):
			return looks(h)
		case h.child("look below") && h.answered("mcp__disk__look"):
			return say("There are stones.")
		case h.child("look below"):
			return do(use("read", object{"path": "calc.go"})).until(release)
		case h.answered("agent"):
			return say("It looked.")
		}
		return do(isolated("a look", "look below", false))
	})
	s.withOwnServers(t, `
[mcp.disk]
command = ["sh", "server.sh"]
env = {MARK = "`+s.mcpMark()+`"}
`)
	x := s.open(t, "--permission-mode", "plan")
	x.prompt("send one")
	s.server.await(t, fromChild("look below"))
	x.type_("/permissions bypass", keyEnter)
	x.see("Allow every call without asking?", "yes, in this session")
	x.type_("y")
	x.see("permission mode: bypass")
	close(release)
	x.see("It looked.")
	h := s.server.await(t, func(h heard) bool { return h.child("look below") && h.answered("mcp__disk__look") })
	require.Equal(t, []string{"a heap of stones"}, h.resultsOf("mcp__disk__look"))
	require.Equal(t, 0, x.quit())
}
