package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// isolated is a call of the agent tool for a subagent in a process of its own.
func isolated(description, prompt string, background bool) call {
	return use("agent", object{
		"description": description, "prompt": prompt, "isolation": "process", "run_in_background": background,
	})
}

// task is a call of the task tool.
func task(prompt string, background bool) call {
	return use("task", object{"prompt": prompt, "background": background})
}

// processTold is the result of a call about a run in a process of its own.
type processTold struct {
	told
	Task     string `json:"task_id"`
	ExitCode *int   `json:"exit_code"`
	Error    struct{ Kind, Message string }
}

func processTelling(t *testing.T, h heard, tool string) processTold {
	t.Helper()
	texts := h.resultsOf(tool)
	require.Len(t, texts, 1)
	var one processTold
	require.NoError(t, json.Unmarshal([]byte(texts[0]), &one), texts[0])
	return one
}

// processes lists those of this stage whose command line ends so.
func (s *stage) processes(command ...string) []int {
	entries, _ := os.ReadDir("/proc")
	var found []int
	for _, entry := range entries {
		line, _ := os.ReadFile(filepath.Join("/proc", entry.Name(), "cmdline"))
		environ, _ := os.ReadFile(filepath.Join("/proc", entry.Name(), "environ"))
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && bytes.HasSuffix(line, []byte(strings.Join(command, "\x00")+"\x00")) && bytes.Contains(environ, []byte("PAWL_HOME="+s.home+"\x00")) {
			found = append(found, pid)
		}
	}
	return found
}

// worker is the process of the only isolated subagent. Wait until it has asked
// its model something.
func (s *stage) worker(t *testing.T) int {
	t.Helper()
	found := s.processes("/proc/self/exe", workerName)
	require.Len(t, found, 1)
	return found[0]
}

// watched are processes whose end can be waited for, whatever gets their number.
type watched []int

func watch(t *testing.T, pids ...int) (w watched) {
	t.Helper()
	require.NotEmpty(t, pids)
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		require.NoError(t, err)
		t.Cleanup(func() { _ = unix.Close(fd) })
		w = append(w, fd)
	}
	return w
}

// gone holds them to have ended, or to do so in the 2 s that any end may take.
func (w watched) gone(t *testing.T) {
	t.Helper()
	for _, fd := range w {
		n, err := 0, error(unix.EINTR)
		for errors.Is(err, unix.EINTR) {
			n, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(2*time.Second/time.Millisecond))
		}
		require.NoError(t, err)
		require.NotZero(t, n, "a process is left")
	}
}

// story is a session's JSON export.
func (s *stage) story(t *testing.T, session string) string {
	t.Helper()
	if session == "" {
		list, errs, code := run(t, s.dir, s.env, "sessions")
		require.Equal(t, 0, code, errs)
		session = strings.Fields(list)[0]
	}
	out, errs, code := run(t, s.dir, s.env, "export", session, "--format", "json", "-o", "-")
	require.Equal(t, 0, code, errs)
	return out
}

func TestTaskGivesWhatItsProcessReportsAndTheExitCode(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("count the functions") && h.answered("read"):
				return say("There is one function: Add.")
			case h.child("count the functions"):
				return do(use("read", object{"path": "calc.go"})).saying("I look.")
			case h.answered("task"):
				return say("One function, says the task.")
			}
			return do(task("count the functions of calc.go", false))
		})
		r, errs, code := s.prompted(t, "-p", "delegate the counting")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "One function, says the task.", r.Output)
		got := processTelling(t, s.server.await(t, parentTold("task")), "task")
		require.Equal(t, "completed", got.Status)
		require.Equal(t, "There is one function: Add.", got.Output)
		require.Equal(t, 0, *got.ExitCode)
		require.NotEmpty(t, got.Task)
		require.Empty(t, got.Agent, "it is the task_id")
		require.Equal(t, "count the functions of calc.go", r.Subagents[0].Description)
		for _, tool := range s.server.await(t, fromChild("count")).tools {
			require.NotContains(t, []string{"agent", "task"}, tool, "it cannot delegate")
		}
	})
}

func TestBackgroundTaskNotifiesAndIsReadByItsAgentID(t *testing.T) {
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"):
			return say("The bottom is stone.")
		case h.answered("agent_output"):
			return say("It is stone.")
		case len(h.notices()) > 0:
			return do(use("agent_output", object{"agent_id": agentIn(h.notices()[0])}))
		case h.answered("task"):
			return say("It is on its way.")
		}
		return do(task("dig to the bottom", true))
	})
	r, errs, code := s.prompted(t, "-p", "send one")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "It is stone.", r.Output)
	got := processTelling(t, s.server.await(t, parentTold("task")), "task")
	require.Equal(t, "running", got.Status)
	require.Nil(t, got.ExitCode)
	require.Contains(t, got.Message, "do not poll")
	read := processTelling(t, s.server.await(t, parentTold("agent_output")), "agent_output")
	require.Equal(t, got.Task, read.Agent)
	require.Equal(t, "completed", read.Status)
	require.Equal(t, 0, *read.ExitCode)
}

// agentIn is the agent of a notification.
func agentIn(notice string) string {
	_, rest, _ := strings.Cut(notice, "<task-id>")
	id, _, _ := strings.Cut(rest, "</task-id>")
	return id
}

func TestRunInAProcessLeavesTheSameRecordsAsAnyOther(t *testing.T) {
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("make the file") && h.answered("shell"):
			return say("Made, & <done>.")
		case h.child("make the file"):
			return do(use("shell", object{"command": "echo '<ran>' && echo é"})).saying("I make it.")
		case len(h.messages) > 3:
			return say("Both made it.")
		case h.answered("agent"):
			return do(isolated("one", "make the file", false))
		}
		return do(delegate("one", "make the file"))
	})
	r, errs, code := s.prompted(t, "--permission-mode", "bypass", "-p", "make it twice")
	require.Equal(t, 0, code, errs)
	var story struct {
		Records []struct {
			Run   string
			Event string
			Data  map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(s.story(t, r.Session)), &story))
	trails := map[string][]string{}
	var order []string
	for _, rec := range story.Records {
		if rec.Event == "spawned" {
			order = append(order, rec.Run)
		}
		for _, own := range []string{"call", "isolation", "exit_code", "parent_run"} {
			delete(rec.Data, own)
		}
		trails[rec.Run] = append(trails[rec.Run], fmt.Sprint(rec.Event, rec.Data))
	}
	require.Len(t, order, 3)
	require.Greater(t, len(trails[order[1]]), 8)
	require.Equal(t, trails[order[1]], trails[order[2]])
	require.Contains(t, s.story(t, r.Session), `"isolation":"process"`)
	require.Contains(t, s.story(t, r.Session), `"exit_code":0`)
}

func TestKilledProcessIsAFailureThatSaysSoAndCanBeResumed(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig") && h.asked("go on"):
				return say("The bottom is stone.")
			case h.child("dig"):
				return say("I have dug halfway").until(make(chan struct{}))
			case len(h.notices()) > 0:
				return say("Stone, it says.")
			case h.answered("agent_send"):
				return say("I sent it on.")
			case h.answered("agent"):
				return do(use("agent_send", object{"agent_id": agentOf(h), "message": "go on"}))
			}
			return do(isolated("a dig", "dig to the bottom", false))
		})
		x := s.open(t)
		x.prompt("send one")
		x.see("a dig", "I have dug halfway")
		require.NoError(t, syscall.Kill(s.worker(t), syscall.SIGKILL))
		got := processTelling(t, s.server.await(t, parentTold("agent")), "agent")
		require.Equal(t, "failed", got.Status)
		require.Equal(t, "process", got.Error.Kind)
		require.Equal(t, "its process was killed by SIGKILL (exit code 137)", got.Error.Message)
		require.Equal(t, 137, *got.ExitCode)
		require.Equal(t, "I have dug halfway", got.Output)
		require.True(t, got.Partial)
		x.see("Stone, it says.")
		h := s.server.await(t, func(h heard) bool { return h.parent() && len(h.notices()) == 1 })
		require.Contains(t, h.notices()[0], "<result>The bottom is stone.</result>")
		require.Equal(t, 0, x.quit())
	})
}

func TestCrashedProcessIsToldWithItsExitCodeAndLastWords(t *testing.T) {
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"):
			return say("I have dug halfway").until(make(chan struct{}))
		case h.answered("task"):
			return say("It crashed.")
		}
		return do(task("dig to the bottom", false))
	})
	x := s.open(t)
	x.prompt("send one")
	x.see("I have dug halfway")
	require.NoError(t, syscall.Kill(s.worker(t), syscall.SIGQUIT)) // Go's runtime dumps all stacks and exits with 2
	got := processTelling(t, s.server.await(t, parentTold("task")), "task")
	require.Equal(t, "failed", got.Status)
	require.Equal(t, "process", got.Error.Kind)
	require.Equal(t, "its process ended before its work did, with exit code 2: SIGQUIT: quit", got.Error.Message)
	require.Equal(t, 2, *got.ExitCode)
	require.Equal(t, "I have dug halfway", got.Output)
	x.see("exit code 2: SIGQUIT", "It crashed.")
	require.Equal(t, 0, x.quit())
}

func TestKillInTheMiddleOfAToolCallLeavesNothingRunningAndAWholeTranscript(t *testing.T) {
	eachProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig") && h.asked("go on"):
				return say("I see that it was cut off.")
			case h.child("dig"):
				return do(use("read", object{"path": "calc.go"}), use("shell", object{"command": "echo digging; sleep 3071"}))
			case h.answered("agent_send"):
				return say("I sent it on.")
			case len(h.notices()) > 0:
				return say("It knows.")
			case h.answered("agent"):
				return do(use("agent_send", object{"agent_id": agentOf(h), "message": "go on"}))
			}
			return do(isolated("a dig", "dig to the bottom", false))
		})
		x := s.open(t, "--permission-mode", "bypass")
		x.prompt("send one")
		x.see("a dig", "digging")
		shell := watch(t, s.processes("sleep", "3071")...)
		require.NoError(t, syscall.Kill(s.worker(t), syscall.SIGKILL))
		got := processTelling(t, s.server.await(t, parentTold("agent")), "agent")
		require.Equal(t, "process", got.Error.Kind)
		shell.gone(t)
		x.see("It knows.")
		again := s.server.await(t, func(h heard) bool { return h.child("dig") && h.asked("go on") })
		var lost string
		for _, m := range again.messages {
			for _, r := range m.results {
				lost += r.text
			}
		}
		require.Contains(t, lost, "func Add", "the result that was there stands")
		require.Contains(t, lost, "cut off when the process that made it ended")
		require.Equal(t, 0, x.quit())
	})
}

func TestEscStopsAProcessThatWorksAndOneThatHangs(t *testing.T) {
	for name, hang := range map[string]bool{"works": false, "hangs": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := set(t, anthropicProtocol(), func(h heard) reply {
				switch {
				case h.child("dig"):
					return say("I have dug halfway").until(make(chan struct{}))
				case h.answered("agent"):
					return say("Then I go on without it.")
				}
				return do(isolated("a dig", "dig to the bottom", false))
			})
			x := s.open(t)
			x.prompt("send one")
			x.see("a dig", "I have dug halfway")
			pid := s.worker(t)
			process := watch(t, pid)
			if hang {
				require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
			}
			x.type_(keyEsc)
			got := processTelling(t, s.server.await(t, parentTold("agent")), "agent")
			require.Equal(t, "canceled_by_user", got.Status)
			require.Equal(t, "I have dug halfway", got.Output)
			require.Equal(t, map[bool]int{false: 130, true: 137}[hang], *got.ExitCode)
			process.gone(t)
			s.server.awaitLeft(t, s.server.await(t, fromChild("dig")))
			x.see("stopped by you", "Then I go on without it.")
			require.Equal(t, 0, x.quit())
			require.NotContains(t, s.story(t, ""), "slow_stop", "a stop is done within 2 s")
		})
	}
}

func TestAgentStopEndsAHangingTaskWithItsTools(t *testing.T) {
	stuck := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"):
			return do(use("shell", object{"command": "trap '' TERM; echo digging; while :; do sleep 3072; done"})).saying("I dig.")
		case h.answered("agent_stop"):
			return say("Stopped it.")
		case h.answered("task"):
			answer := do(use("agent_stop", object{"agent_id": processTelling(t, h, "task").Task})).saying("Wait.")
			answer.hold = stuck
			return answer
		}
		return do(task("dig to the bottom", true))
	})
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("send one")
	x.see("Wait.", "digging")
	pid := s.worker(t)
	all := watch(t, append(s.processes("sleep", "3072"), pid)...)
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	close(stuck)
	got := processTelling(t, s.server.await(t, parentTold("agent_stop")), "agent_stop")
	require.Equal(t, "canceled_by_agent", got.Status)
	require.Equal(t, "I dig.", got.Output)
	all.gone(t)
	x.see("Stopped it.")
	require.Equal(t, 0, x.quit())
	require.NotContains(t, s.story(t, ""), "slow_stop", "a stop is done within 2 s")
}

func TestFloodOfAProcessIsTakenInAndBounded(t *testing.T) {
	var pieces []string
	for i := range 4000 {
		pieces = append(pieces, fmt.Sprintf("grain %d of sand; ", i))
	}
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig") && h.answered("shell"):
			return say(pieces...)
		case h.child("dig"):
			return do(use("shell", object{"command": "yes sand | head -c 30000000; yes sand | head -c 30000000 >&2"}))
		case h.answered("task"):
			return say("Much sand.")
		}
		return do(task("dig to the bottom", false))
	})
	r, errs, code := s.prompted(t, "--permission-mode", "bypass", "-p", "send one")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "Much sand.", r.Output)
	got := processTelling(t, s.server.await(t, parentTold("task")), "task")
	require.Equal(t, strings.TrimSpace(strings.Join(pieces, "")), got.Output)
	flood := s.server.await(t, func(h heard) bool { return h.child("dig") && h.answered("shell") })
	require.Less(t, len(flood.resultsOf("shell")[0]), 40_000)
}

func TestQuestionOfAProcessIsAnsweredOnTheScreen(t *testing.T) {
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("make the file"):
			return wantsShell(h)
		case h.answered("agent"):
			return say("It is made.")
		}
		return do(isolated("file making", "make the file", false))
	})
	x := s.open(t)
	x.prompt("delegate it")
	x.asked()
	x.see("file making wants to use")
	require.NoFileExists(t, s.dir+"/made.txt")
	x.type_("y")
	x.see("It is made.")
	require.FileExists(t, s.dir+"/made.txt")
	require.Equal(t, 0, x.quit())
}

func TestNoProcessOutlivesThePawlThatStartedIt(t *testing.T) {
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.child("dig") {
			return do(use("shell", object{"command": "echo digging; sleep 3073"}))
		}
		return do(isolated("a dig", "dig to the bottom", false))
	})
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("send one")
	x.see("a dig", "digging")
	left := watch(t, append(s.processes("sleep", "3073"), s.worker(t))...)
	x.crash()
	left.gone(t)
	x = s.open(t, "--continue")
	x.see("a dig", "cut off")
	require.Equal(t, 0, x.quit())
}

func TestNoKeyStandsWhereOthersCanReadIt(t *testing.T) {
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig") && h.answered("shell"):
			return say("I have dug halfway").until(make(chan struct{}))
		case h.child("dig"):
			return do(use("shell", object{"command": "env; cat /proc/$PPID/environ | tr '\\0' '\\n'"}))
		case h.answered("agent"):
			return say("It ended.")
		}
		return do(isolated("a dig", "dig to the bottom", false))
	})
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("send one")
	x.see("a dig", "I have dug halfway")
	pid := s.worker(t)
	for _, file := range []string{"environ", "cmdline"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
		require.NoError(t, err)
		require.NotContains(t, string(text), rightKey)
	}
	h := s.server.await(t, func(h heard) bool { return h.child("dig") && h.answered("shell") })
	require.Contains(t, h.resultsOf("shell")[0], "PAWL_HOME")
	require.NotContains(t, h.resultsOf("shell")[0], rightKey)
	x.type_(keyEsc)
	x.see("It ended.")
	require.Equal(t, 0, x.quit())
}

func TestWorkerIsNothingToType(t *testing.T) {
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	for _, in := range []string{"", "{}\n", "hello\n"} {
		out, errs, code := runWith(t, in, s.dir, s.env, workerName)
		require.Equal(t, 2, code)
		require.Empty(t, out)
		requireOneLine(t, errs)
		require.Contains(t, errs, "nothing to type")
	}
	out, _, _ := run(t, s.dir, s.env, "--help")
	require.NotContains(t, out, workerName)
}
