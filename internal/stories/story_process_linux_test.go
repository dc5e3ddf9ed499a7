package stories

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTaskGivesWhatItsProcessReportsAndTheExitCode(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
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
	t.Parallel()
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

func TestRunInAProcessLeavesTheSameRecordsAsAnyOther(t *testing.T) {
	t.Parallel()
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

func TestFloodOfAProcessIsTakenInAndBounded(t *testing.T) {
	t.Parallel()
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
	whole := strings.TrimSpace(strings.Join(pieces, ""))
	require.Less(t, len(got.Output), 31_000)
	require.True(t, strings.HasPrefix(got.Output, whole[:10_000]))
	require.True(t, strings.HasSuffix(got.Output, whole[len(whole)-10_000:]))
	kept := regexp.MustCompile(`all of it is in (\S+),`).FindStringSubmatch(got.Output)
	require.Len(t, kept, 2)
	file, err := os.ReadFile(kept[1])
	require.NoError(t, err)
	require.True(t, whole == string(file))
	flood := s.server.await(t, func(h heard) bool { return h.child("dig") && h.answered("shell") })
	require.Less(t, len(flood.resultsOf("shell")[0]), 40_000)
}

func TestQuestionOfAProcessIsAnsweredOnTheScreen(t *testing.T) {
	t.Parallel()
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

func TestNoKeyStandsWhereOthersCanReadIt(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return surprised() })
	for _, in := range []string{"", "{}\n", "hello\n"} {
		out, errs, code := runWith(t, in, s.dir, s.env, "worker")
		require.Equal(t, 2, code)
		require.Empty(t, out)
		requireOneLine(t, errs)
		require.Contains(t, errs, "is what Pawl runs to start a subagent")
	}
	out, _, _ := run(t, s.dir, s.env, "--help")
	require.NotContains(t, out, "worker")
}

// A person who goes back to a stricter mode means those that work already, too.
func TestAProcessIsBoundByTheModeThatHoldsNow(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch done := strings.Join(h.resultsOf("shell"), ""); {
		case h.child("make the files") && done == "":
			return do(use("shell", object{"command": "touch first.txt"}))
		case h.child("make the files") && strings.Contains(done, "plan mode"):
			return say("I have tried.")
		case h.child("make the files"):
			return do(use("shell", object{"command": "touch second.txt"})).until(release)
		case h.answered("agent"):
			return say("It has tried.")
		}
		return do(isolated("file making", "make the files", false))
	})
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("delegate it")
	s.server.await(t, func(h heard) bool { return h.child("make the files") && h.answered("shell") })
	x.type_("/permissions plan", keyEnter)
	x.see("permission mode: plan")
	close(release)
	x.see("It has tried.")
	require.FileExists(t, s.dir+"/first.txt")
	require.NoFileExists(t, s.dir+"/second.txt")
	require.Equal(t, 0, x.quit())
}
