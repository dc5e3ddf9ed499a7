package stories

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

func TestKilledProcessIsAFailureThatSaysSoAndCanBeResumed(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig") && h.Asked("go on"):
				return modeltest.Say("The bottom is stone.")
			case h.Child("dig"):
				return modeltest.Say("I have dug halfway").Until(make(chan struct{}))
			case len(h.Notices()) > 0:
				return modeltest.Say("Stone, it says.")
			case h.Answered("agent_send"):
				return modeltest.Say("I sent it on.")
			case h.Answered("agent"):
				return modeltest.Do(modeltest.Use("agent_send", modeltest.Object{"agent_id": harness.AgentOf(h), "message": "go on"}))
			}
			return modeltest.Do(modeltest.Isolated("a dig", "dig to the bottom", false))
		})
		x := s.Open(t)
		x.Prompt("send one")
		x.See("a dig", "I have dug halfway")
		require.NoError(t, syscall.Kill(workerOf(t, s), syscall.SIGKILL))
		got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("agent")), "agent")
		require.Equal(t, "failed", got.Status)
		require.Equal(t, "process", got.Error.Kind)
		require.Equal(t, "its process was killed by SIGKILL (exit code 137)", got.Error.Message)
		require.Equal(t, 137, *got.ExitCode)
		require.Equal(t, "I have dug halfway", got.Output)
		require.True(t, got.Partial)
		x.See("Stone, it says.")
		h := s.Server.Await(t, func(h modeltest.Request) bool { return h.Parent() && len(h.Notices()) == 1 })
		require.Contains(t, h.Notices()[0], "<result>The bottom is stone.</result>")
		require.Equal(t, 0, x.Quit())
	})
}

func TestCrashedProcessIsToldWithItsExitCodeAndLastWords(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("I have dug halfway").Until(make(chan struct{}))
		case h.Answered("task"):
			return modeltest.Say("It crashed.")
		}
		return modeltest.Do(task("dig to the bottom", false))
	})
	x := s.Open(t)
	x.Prompt("send one")
	x.See("I have dug halfway")
	require.NoError(t, syscall.Kill(workerOf(t, s), syscall.SIGQUIT)) // Go's runtime dumps all stacks and exits with 2
	got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("task")), "task")
	require.Equal(t, "failed", got.Status)
	require.Equal(t, "process", got.Error.Kind)
	require.Equal(t, "its process ended before its work did, with exit code 2: SIGQUIT: quit", got.Error.Message)
	require.Equal(t, 2, *got.ExitCode)
	require.Equal(t, "I have dug halfway", got.Output)
	x.See("exit code 2: SIGQUIT", "It crashed.")
	require.Equal(t, 0, x.Quit())
}

func TestKillInTheMiddleOfAToolCallLeavesNothingRunningAndAWholeTranscript(t *testing.T) {
	modeltest.AnyProtocol(t, func(t *testing.T, p modeltest.Protocol) {
		s := toDig(t, harness.NewStage(t, p, func(h modeltest.Request) modeltest.Reply {
			switch {
			case h.Child("dig") && h.Asked("go on"):
				return modeltest.Say("I see that it was cut off.")
			case h.Child("dig"):
				return modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"}), digAs("mark-kill"))
			case h.Answered("agent_send"):
				return modeltest.Say("I sent it on.")
			case len(h.Notices()) > 0:
				return modeltest.Say("It knows.")
			case h.Answered("agent"):
				return modeltest.Do(modeltest.Use("agent_send", modeltest.Object{"agent_id": harness.AgentOf(h), "message": "go on"}))
			}
			return modeltest.Do(modeltest.Isolated("a dig", "dig to the bottom", false))
		}))
		x := s.Open(t, "--permission-mode", "bypass")
		x.Prompt("send one")
		x.See("a dig", "digging")
		shell := watch(t, marked(s, "mark-kill")...)
		require.NoError(t, syscall.Kill(workerOf(t, s), syscall.SIGKILL))
		got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("agent")), "agent")
		require.Equal(t, "process", got.Error.Kind)
		shell.gone(t)
		x.See("It knows.")
		again := s.Server.Await(t, func(h modeltest.Request) bool { return h.Child("dig") && h.Asked("go on") })
		var lost string
		for _, m := range again.Messages {
			for _, r := range m.Results {
				lost += r.Text
			}
		}
		require.Contains(t, lost, "func Add", "the result that was there stands")
		require.Contains(t, lost, "cut off when the process that made it ended")
		require.Equal(t, 0, x.Quit())
	})
}

func TestEscStopsAProcessThatWorksAndOneThatHangs(t *testing.T) {
	t.Parallel()
	for name, hang := range map[string]bool{"works": false, "hangs": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Child("dig"):
					return modeltest.Say("I have dug halfway").Until(make(chan struct{}))
				case h.Answered("agent"):
					return modeltest.Say("Then I go on without it.")
				}
				return modeltest.Do(modeltest.Isolated("a dig", "dig to the bottom", false))
			})
			x := s.Open(t)
			x.Prompt("send one")
			x.See("a dig", "I have dug halfway")
			pid := workerOf(t, s)
			process := watch(t, pid)
			if hang {
				require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
			}
			x.Type(harness.KeyEsc)
			got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("agent")), "agent")
			require.Equal(t, "canceled_by_user", got.Status)
			require.Equal(t, "I have dug halfway", got.Output)
			if !hang { // else it was killed, and maybe nobody saw its end
				require.Equal(t, 130, *got.ExitCode)
			}
			process.gone(t)
			s.Server.AwaitLeft(t, s.Server.Await(t, modeltest.FromChild("dig")))
			x.See("stopped by you", "Then I go on without it.")
			require.Equal(t, 0, x.Quit())
			require.NotContains(t, exportOf(t, s, ""), "slow_stop", "a stop is done within 2 s")
		})
	}
}

func TestAgentStopEndsAHangingTaskWithItsTools(t *testing.T) {
	t.Parallel()
	stuck := make(chan struct{})
	s := toDig(t, harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Do(digAs("mark-stop")).Saying("I dig.")
		case h.Answered("agent_stop"):
			return modeltest.Say("Stopped it.")
		case h.Answered("task"):
			answer := modeltest.Do(modeltest.Use("agent_stop", modeltest.Object{"agent_id": processTelling(t, h, "task").Task})).Saying("Wait.")
			answer.Hold = stuck
			return answer
		}
		return modeltest.Do(task("dig to the bottom", true))
	}))
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("send one")
	x.See("Wait.", "digging")
	pid := workerOf(t, s)
	all := watch(t, append(marked(s, "mark-stop"), pid)...)
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	close(stuck)
	got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("agent_stop")), "agent_stop")
	require.Equal(t, "canceled_by_agent", got.Status)
	require.Equal(t, "I dig.", got.Output)
	all.gone(t)
	x.See("Stopped it.")
	require.Equal(t, 0, x.Quit())
	require.NotContains(t, exportOf(t, s, ""), "slow_stop", "a stop is done within 2 s")
}

func TestNoProcessOutlivesThePawlThatStartedIt(t *testing.T) {
	t.Parallel()
	s := toDig(t, harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Child("dig") {
			return modeltest.Do(digAs("mark-end"))
		}
		return modeltest.Do(modeltest.Isolated("a dig", "dig to the bottom", false))
	}))
	x := s.Open(t, "--permission-mode", "bypass")
	x.Prompt("send one")
	x.See("a dig", "digging")
	left := watch(t, append(marked(s, "mark-end"), workerOf(t, s))...)
	x.Crash()
	left.gone(t)
	x = s.Open(t, "--continue")
	x.See("a dig", "interrupted")
	require.Equal(t, 0, x.Quit())
}

func TestSignalToPawlEndsItsProcessesWithIt(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Child("dig") {
			return modeltest.Say("I have dug halfway").Until(make(chan struct{}))
		}
		return modeltest.Do(task("dig to the bottom", false))
	})
	cmd := s.Command(t, "-p", "send one")
	require.NoError(t, cmd.Start())
	child := s.Server.Await(t, modeltest.FromChild("dig"))
	process := watch(t, workerOf(t, s))
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	harness.WaitEnd(t, cmd)
	require.Equal(t, 143, cmd.ProcessState.ExitCode())
	process.gone(t)
	s.Server.AwaitLeft(t, child)
	story := exportOf(t, s, "")
	require.Contains(t, story, `"interrupted"`)
	require.Contains(t, story, `"exit_code":130`)
}

func TestTaskThatCannotBeStartedFailsWithItsSetup(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		if h.Answered("task") {
			return modeltest.Say("It did not start.")
		}
		answer := modeltest.Do(task("dig to the bottom", false)).Saying("I send one.")
		answer.Hold = release
		return answer
	})
	x := s.Open(t)
	x.Prompt("send one")
	x.See("I send one.")
	require.NoError(t, os.RemoveAll(s.Dir))
	close(release)
	got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("task")), "task")
	require.Equal(t, "failed", got.Status)
	require.Equal(t, "setup", got.Error.Kind)
	require.Contains(t, got.Error.Message, "could not be started: stat "+s.Dir)
	require.Nil(t, got.ExitCode)
	x.See("It did not start.")
	require.Equal(t, 0, x.Quit())
}
