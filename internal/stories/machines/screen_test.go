//go:build linux

package machines

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// machineName is how this machine is called on the screen.
func machineName(t *testing.T) string {
	t.Helper()
	name, err := os.Hostname()
	require.NoError(t, err)
	return name
}

// asks wants a command that needs a yes, and tells what came of it.
func asks(h modeltest.Request) modeltest.Reply {
	switch {
	case h.Asked("and test it"):
		return modeltest.Say("Tested too.")
	case h.Answered("shell"):
		return modeltest.Say("It ran: " + h.ResultsOf("shell")[0])
	}
	return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "echo ran > made.txt"}))
}

// On the screen a subagent elsewhere is as any: its line says where it is, its questions are answered,
// it is looked at and written to.
func TestALineSaysWhereItsSubagentIsAndItsQuestionIsAnswered(t *testing.T) {
	t.Parallel()
	s := set(t, away(false), asks)
	m := s.worker(t)
	x := s.Open(t)
	x.Prompt("have it built")
	x.Asked()
	x.See("builder wants to use")
	x.Answer("y")
	x.See("Done.", "changes to land")
	got := s.parentTold(t)
	require.Equal(t, "ran\n", read(t, got.Worktree.Path, "made.txt"))
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.Type(harness.KeyEnter)
	x.See("It ran:")
	x.Prompt("and test it")
	x.See("Tested too.")
	x.Type(harness.KeyEsc)
	m.requireBare(t)
	x.SeeNot("esc stops")
	require.Equal(t, 0, quit(x))
}

// quit leaves from wherever the focus is.
func quit(x *harness.Terminal) int {
	x.T.Helper()
	for range 3 {
		x.Type(harness.KeyLeft)
	}
	return x.Quit()
}

func TestALineSaysOnWhichMachineItsSubagentIs(t *testing.T) {
	t.Parallel()
	s := set(t, away(false), func(modeltest.Request) modeltest.Reply {
		return modeltest.Say("I have dug halfway").Until(make(chan struct{}))
	})
	m := s.worker(t)
	x := s.Open(t)
	x.Prompt("have it built")
	x.See("builder", "on "+machineName(t), "I have dug halfway")
	before := time.Now()
	x.Type(harness.KeyEsc)
	x.See("Done.")
	require.Less(t, time.Since(before), modeltest.Patience)
	s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromChild("build")))
	m.requireBare(t)
	require.Equal(t, 0, x.Quit())
}

func TestASubagentElsewhereIsStoppedByAKey(t *testing.T) {
	t.Parallel()
	s := set(t, away(true), func(h modeltest.Request) modeltest.Reply {
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "sleep 3333 & exec sleep 3333"}))
	})
	m := s.worker(t)
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("have it built")
	x.See("builder", "on "+machineName(t), "sleep 3333")
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	before := time.Now()
	x.StopCard()
	x.See("stopped: builder")
	require.Less(t, time.Since(before), modeltest.Patience)
	m.requireBare(t)
	require.Equal(t, 0, quit(x))
}

func TestAgentStopEndsASubagentElsewhere(t *testing.T) {
	t.Parallel()
	stuck := make(chan struct{})
	s := setFor(t, func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("build"):
			return modeltest.Say("I have dug halfway").Until(make(chan struct{}))
		case h.Answered("agent_stop"):
			return modeltest.Say("Stopped it.")
		case h.Answered("agent"):
			answer := modeltest.Do(modeltest.Use("agent_stop", modeltest.Object{"agent_id": harness.AgentOf(h), "reason": "enough"})).Saying("Wait.")
			answer.Hold = stuck
			return answer
		}
		return modeltest.Do(away(true))
	})
	m := s.worker(t)
	x := s.Open(t)
	x.Prompt("have it built")
	x.See("Wait.", "I have dug halfway")
	close(stuck)
	x.See("Stopped it.")
	got := toldIn(t, s.Server.Await(t, modeltest.ParentTold("agent_stop")).ResultsOf("agent_stop")[0])
	require.Equal(t, "canceled_by_agent", got.Status)
	require.Equal(t, "I have dug halfway", got.Output)
	m.requireBare(t)
	require.Equal(t, 0, x.Quit())
}

// The files that a message names are read at home, where the subagent's own changes are not yet.
func TestAMessageToASubagentElsewhereTakesItsFilesAlong(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, away(true), func(h modeltest.Request) modeltest.Reply {
		if h.Asked("read @README.md") {
			return modeltest.Say("Read it.")
		}
		return modeltest.Do(modeltest.Use("list", modeltest.Object{"path": "."})).Until(release)
	})
	s.worker(t)
	x := s.Open(t)
	x.Prompt("have it built")
	x.See("on "+machineName(t), "waiting for the model")
	x.Rest()
	x.Type(harness.KeyDown)
	x.See("enter open")
	x.Type(harness.KeyEnter)
	x.Prompt("read @README.md")
	x.See("read @README.md")
	close(release)
	asked := s.Server.Await(t, func(h modeltest.Request) bool { return h.Asked("read @README.md") })
	require.True(t, asked.Asked("Adds numbers."), "the file came with it")
	x.See("Read it.")
}
