package stories

import (
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestKilledProcessIsAFailureThatSaysSoAndCanBeResumed(t *testing.T) {
	anyProtocol(t, func(t *testing.T, p protocol) {
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
	t.Parallel()
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
	anyProtocol(t, func(t *testing.T, p protocol) {
		s := set(t, p, func(h heard) reply {
			switch {
			case h.child("dig") && h.asked("go on"):
				return say("I see that it was cut off.")
			case h.child("dig"):
				return do(use("read", object{"path": "calc.go"}), digAs("mark-kill"))
			case h.answered("agent_send"):
				return say("I sent it on.")
			case len(h.notices()) > 0:
				return say("It knows.")
			case h.answered("agent"):
				return do(use("agent_send", object{"agent_id": agentOf(h), "message": "go on"}))
			}
			return do(isolated("a dig", "dig to the bottom", false))
		}).toDig(t)
		x := s.open(t, "--permission-mode", "bypass")
		x.prompt("send one")
		x.see("a dig", "digging")
		shell := watch(t, s.marked("mark-kill")...)
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
	t.Parallel()
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
			if !hang { // else it was killed, and maybe nobody saw its end
				require.Equal(t, 130, *got.ExitCode)
			}
			process.gone(t)
			s.server.awaitLeft(t, s.server.await(t, fromChild("dig")))
			x.see("stopped by you", "Then I go on without it.")
			require.Equal(t, 0, x.quit())
			require.NotContains(t, s.story(t, ""), "slow_stop", "a stop is done within 2 s")
		})
	}
}

func TestAgentStopEndsAHangingTaskWithItsTools(t *testing.T) {
	t.Parallel()
	stuck := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"):
			return do(digAs("mark-stop")).saying("I dig.")
		case h.answered("agent_stop"):
			return say("Stopped it.")
		case h.answered("task"):
			answer := do(use("agent_stop", object{"agent_id": processTelling(t, h, "task").Task})).saying("Wait.")
			answer.hold = stuck
			return answer
		}
		return do(task("dig to the bottom", true))
	}).toDig(t)
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("send one")
	x.see("Wait.", "digging")
	pid := s.worker(t)
	all := watch(t, append(s.marked("mark-stop"), pid)...)
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

func TestNoProcessOutlivesThePawlThatStartedIt(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.child("dig") {
			return do(digAs("mark-end"))
		}
		return do(isolated("a dig", "dig to the bottom", false))
	}).toDig(t)
	x := s.open(t, "--permission-mode", "bypass")
	x.prompt("send one")
	x.see("a dig", "digging")
	left := watch(t, append(s.marked("mark-end"), s.worker(t))...)
	x.crash()
	left.gone(t)
	x = s.open(t, "--continue")
	x.see("a dig", "interrupted")
	require.Equal(t, 0, x.quit())
}

func TestSignalToPawlEndsItsProcessesWithIt(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.child("dig") {
			return say("I have dug halfway").until(make(chan struct{}))
		}
		return do(task("dig to the bottom", false))
	})
	cmd := s.command(t, "-p", "send one")
	require.NoError(t, cmd.Start())
	child := s.server.await(t, fromChild("dig"))
	process := watch(t, s.worker(t))
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	waitEnd(t, cmd)
	require.Equal(t, 143, cmd.ProcessState.ExitCode())
	process.gone(t)
	s.server.awaitLeft(t, child)
	story := s.story(t, "")
	require.Contains(t, story, `"interrupted"`)
	require.Contains(t, story, `"exit_code":130`)
}

func TestTaskThatCannotBeStartedFailsWithItsSetup(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		if h.answered("task") {
			return say("It did not start.")
		}
		answer := do(task("dig to the bottom", false)).saying("I send one.")
		answer.hold = release
		return answer
	})
	x := s.open(t)
	x.prompt("send one")
	x.see("I send one.")
	require.NoError(t, os.RemoveAll(s.dir))
	close(release)
	got := processTelling(t, s.server.await(t, parentTold("task")), "task")
	require.Equal(t, "failed", got.Status)
	require.Equal(t, "setup", got.Error.Kind)
	require.Contains(t, got.Error.Message, "could not be started: stat "+s.dir)
	require.Nil(t, got.ExitCode)
	x.see("It did not start.")
	require.Equal(t, 0, x.quit())
}
