package stories

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestTaskGivesWhatItsProcessReportsAndTheExitCode(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("count the functions") && h.Answered("read"):
				return modeltest.Say("There is one function: Add.")
			case h.Child("count the functions"):
				return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})).Saying("I look.")
			case h.Answered("task"):
				return modeltest.Say("One function, says the task.")
			}
			return modeltest.Do(task("count the functions of calc.go", false))
		})
		r, errs, code := s.Prompted(t, "-p", "delegate the counting")
		require.Equal(t, 0, code, errs)
		require.Equal(t, "One function, says the task.", r.Output)
		got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("task")), "task")
		require.Equal(t, "completed", got.Status)
		require.Equal(t, "There is one function: Add.", got.Output)
		require.Equal(t, 0, *got.ExitCode)
		require.NotEmpty(t, got.Task)
		require.Empty(t, got.Agent, "it is the task_id")
		require.Equal(t, "count the functions of calc.go", r.Subagents[0].Description)
		for _, tool := range s.Server.Await(t, modeltest.FromChild("count")).Tools {
			require.NotContains(t, []string{"agent", "task"}, tool, "it cannot delegate")
		}
	})
}

func TestBackgroundTaskNotifiesAndIsReadByItsAgentID(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("The bottom is stone.")
		case h.Answered("agent_output"):
			return modeltest.Say("It is stone.")
		case len(h.Notices()) > 0:
			return modeltest.Do(modeltest.Use("agent_output", modeltest.Object{"agent_id": agentIn(h.Notices()[0])}))
		case h.Answered("task"):
			return modeltest.Say("It is on its way.")
		}
		return modeltest.Do(task("dig to the bottom", true))
	})
	r, errs, code := s.Prompted(t, "-p", "send one")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "It is stone.", r.Output)
	got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("task")), "task")
	require.Equal(t, "running", got.Status)
	require.Nil(t, got.ExitCode)
	require.Contains(t, got.Message, "do not poll")
	read := processTelling(t, s.Server.Await(t, modeltest.ParentTold("agent_output")), "agent_output")
	require.Equal(t, got.Task, read.Agent)
	require.Equal(t, "completed", read.Status)
	require.Equal(t, 0, *read.ExitCode)
}

func TestRunInAProcessLeavesTheSameRecordsAsAnyOther(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make the file") && h.Answered("shell"):
			return modeltest.Say("Made, & <done>.")
		case h.Child("make the file"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo '<ran>' && echo é"})).Saying("I make it.")
		case len(h.Messages) > 3:
			return modeltest.Say("Both made it.")
		case h.Answered("agent"):
			return modeltest.Do(modeltest.Isolated("one", "make the file", false))
		}
		return modeltest.Do(modeltest.Delegate("one", "make the file"))
	})
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "make it twice")
	require.Equal(t, 0, code, errs)
	var story struct {
		Records []struct {
			Run   string
			Event string
			Data  map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(exportOf(t, s, r.Session)), &story))
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
	require.Contains(t, exportOf(t, s, r.Session), `"isolation":"process"`)
	require.Contains(t, exportOf(t, s, r.Session), `"exit_code":0`)
}

func TestFloodOfAProcessIsTakenInAndBounded(t *testing.T) {
	t.Parallel()
	var pieces []string
	for i := range 4000 {
		pieces = append(pieces, fmt.Sprintf("grain %d of sand; ", i))
	}
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig") && h.Answered("shell"):
			return modeltest.Say(pieces...)
		case h.Child("dig"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "yes sand | head -c 30000000; yes sand | head -c 30000000 >&2"}))
		case h.Answered("task"):
			return modeltest.Say("Much sand.")
		}
		return modeltest.Do(task("dig to the bottom", false))
	})
	r, errs, code := s.Prompted(t, "--permission-mode", "bypass", "-p", "send one")
	require.Equal(t, 0, code, errs)
	require.Equal(t, "Much sand.", r.Output)
	got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("task")), "task")
	whole := strings.TrimSpace(strings.Join(pieces, ""))
	require.Less(t, len(got.Output), 31_000)
	require.True(t, strings.HasPrefix(got.Output, whole[:10_000]))
	require.True(t, strings.HasSuffix(got.Output, whole[len(whole)-10_000:]))
	kept := regexp.MustCompile(`all of it is in (\S+),`).FindStringSubmatch(got.Output)
	require.Len(t, kept, 2)
	file, err := os.ReadFile(kept[1])
	require.NoError(t, err)
	require.True(t, whole == string(file))
	flood := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("dig") && h.Answered("shell") })
	require.Less(t, len(flood.ResultsOf("shell")[0]), 40_000)
}

func TestQuestionOfAProcessIsAnsweredOnTheScreen(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("make the file"):
			return wantsShell(h)
		case h.Answered("agent"):
			return modeltest.Say("It is made.")
		}
		return modeltest.Do(modeltest.Isolated("file making", "make the file", false))
	})
	x := s.Open(t)
	x.Prompt("delegate it")
	x.Asked()
	x.See("file making wants to use")
	require.NoFileExists(t, s.Dir+"/made.txt")
	x.Type("y")
	x.See("It is made.")
	require.FileExists(t, s.Dir+"/made.txt")
	require.Equal(t, 0, x.Quit())
}

func TestNoKeyStandsWhereOthersCanReadIt(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig") && h.Answered("shell"):
			return modeltest.Say("I have dug halfway").Until(make(chan struct{}))
		case h.Child("dig"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "env; cat /proc/$PPID/environ | tr '\\0' '\\n'"}))
		case h.Answered("agent"):
			return modeltest.Say("It ended.")
		}
		return modeltest.Do(modeltest.Isolated("a dig", "dig to the bottom", false))
	})
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("send one")
	x.See("a dig", "I have dug halfway")
	pid := workerOf(t, s)
	for _, file := range []string{"environ", "cmdline"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
		require.NoError(t, err)
		require.NotContains(t, string(text), modeltest.Key)
	}
	h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("dig") && h.Answered("shell") })
	require.Contains(t, h.ResultsOf("shell")[0], "PAWL_HOME")
	require.NotContains(t, h.ResultsOf("shell")[0], modeltest.Key)
	x.Type(harness.KeyEsc)
	x.See("It ended.")
	require.Equal(t, 0, x.Quit())
}

func TestWorkerIsNothingToType(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Surprised() })
	for _, in := range []string{"", "{}\n", "hello\n"} {
		out, errs, code := harness.RunWith(t, in, s.Dir, s.Env, "run-worker")
		require.Equal(t, 2, code)
		require.Empty(t, out)
		harness.RequireOneLine(t, errs)
		require.Contains(t, errs, "is what Pawl runs to start a subagent")
	}
	out, _, _ := harness.Run(t, s.Dir, s.Env, "--help")
	require.NotContains(t, out, "run-worker")
}

// A person who goes back to a stricter mode means those that work already, too.
func TestAProcessIsBoundByTheModeThatHoldsNow(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch done := strings.Join(h.ResultsOf("shell"), ""); {
		case h.Child("make the files") && done == "":
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch first.txt"}))
		case h.Child("make the files") && strings.Contains(done, "plan mode"):
			return modeltest.Say("I have tried.")
		case h.Child("make the files"):
			return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch second.txt"})).Until(release)
		case h.Answered("agent"):
			return modeltest.Say("It has tried.")
		}
		return modeltest.Do(modeltest.Isolated("file making", "make the files", false))
	})
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("delegate it")
	s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("make the files") && h.Answered("shell") })
	x.Type("/permissions plan", harness.KeyEnter)
	x.See("permission mode: plan")
	close(release)
	x.See("It has tried.")
	require.FileExists(t, s.Dir+"/first.txt")
	require.NoFileExists(t, s.Dir+"/second.txt")
	require.Equal(t, 0, x.Quit())
}
