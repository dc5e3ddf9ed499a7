package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// digs is the scene of one task, which reads a file after its first words.
func digs(h heard) reply {
	switch {
	case h.child("dig"):
		return do(use("read", object{"path": "calc.go"})).saying("I have begun.")
	case h.answered("task"):
		return say("It is gone.")
	}
	return do(task("dig to the bottom", false))
}

func TestProcessThatEndsInTheMiddleIsAFailureAndItsPawlGoesOn(t *testing.T) {
	t.Parallel()
	path, err := failpointBinary()
	require.NoError(t, err)
	for _, one := range []struct {
		how  string
		code int
		says string
	}{
		{"exit", 7, "its process ended before its work did, with exit code 7"},
		{"crash", 2, "its process ended before its work did, with exit code 2: panic: "},
		{"kill", 137, "its process was killed by SIGKILL (exit code 137)"},
	} {
		t.Run(one.how, func(t *testing.T) {
			t.Parallel()
			s := set(t, anthropicProtocol(), digs)
			sound := s.env
			s.with("PAWL_FAILPOINTS=tool.read=" + one.how)
			r, errs, code := s.promptedBy(t, path, "-p", "send one")
			s.env = sound // the other build knows no points
			require.Equal(t, 3, code, errs)
			require.Equal(t, "It is gone.", r.Output)
			got := processTelling(t, s.server.await(t, parentTold("task")), "task")
			require.Equal(t, "failed", got.Status)
			require.Equal(t, "process", got.Error.Kind)
			require.Contains(t, got.Error.Message, one.says)
			require.NotContains(t, got.Error.Message, "\n")
			require.Equal(t, one.code, *got.ExitCode)
			require.Equal(t, "I have begun.", got.Output)
			require.Contains(t, s.story(t, r.Session), fmt.Sprintf(`"exit_code":%d`, one.code))
			require.NotContains(t, errs, "goroutine ")
		})
	}
}

func TestProcessThatRunsOutOfMemoryFailsAlone(t *testing.T) {
	t.Parallel()
	enough := make(chan struct{})
	s := set(t, anthropicProtocol(), func(h heard) reply {
		switch {
		case h.child("dig"):
			return say("I have begun.").until(enough, strings.Repeat("much more ", 1<<20), strings.Repeat("and more ", 1<<20))
		case h.answered("task"):
			return say("It is gone.")
		}
		return do(task("dig to the bottom", false))
	})
	x := startCommand(t, 120, 40, guarded(t, s, "tool.none=kill")) // the build without the race detector, whose memory is no measure
	x.ready()
	x.prompt("send one")
	x.see("I have begun.")
	pid := s.worker(t)
	score, err := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid))
	require.NoError(t, err)
	require.Equal(t, lastToBeMissed, strings.TrimSpace(string(score)), "the kernel takes it first")
	require.NoError(t, unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}, nil))
	close(enough)
	got := processTelling(t, s.server.await(t, parentTold("task")), "task")
	require.Equal(t, "failed", got.Status)
	require.Equal(t, "process", got.Error.Kind)
	require.Contains(t, got.Error.Message, "exit code 2: fatal error: ")
	require.Contains(t, got.Error.Message, "memory")
	require.Contains(t, got.Output, "I have begun.")
	x.see("It is gone.")
	require.Equal(t, 0, x.quit())
}

func TestProcessGoesOnWhenItOrItsPawlWasHalted(t *testing.T) {
	t.Parallel()
	for name, whole := range map[string]bool{"it": false, "its Pawl": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			s := set(t, anthropicProtocol(), func(h heard) reply {
				switch {
				case h.child("dig") && h.answered("read"):
					return say("The bottom is stone.")
				case h.child("dig"):
					answer := do(use("read", object{"path": "calc.go"})).saying("I dig.")
					answer.hold = release
					return answer
				case h.answered("task"):
					return say("Stone.")
				}
				return do(task("dig to the bottom", false))
			})
			x := s.open(t)
			x.prompt("send one")
			x.see("I dig.")
			halted := s.worker(t)
			if whole {
				halted = x.pawl()
			}
			require.NoError(t, syscall.Kill(halted, syscall.SIGSTOP))
			close(release)
			require.NoError(t, syscall.Kill(halted, syscall.SIGCONT))
			x.see("Stone.")
			require.Equal(t, 0, x.quit())
		})
	}
}

func TestNoProcessOutlivesItsPawlsGuard(t *testing.T) {
	t.Parallel()
	for name, both := range map[string]bool{"the guard": false, "both": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := set(t, anthropicProtocol(), func(h heard) reply {
				if h.child("dig") {
					return do(digAs("mark-guard"))
				}
				return do(task("dig to the bottom", true)).saying("Sent.")
			}).toDig(t)
			x := s.open(t, "--permission-mode", "bypass")
			x.prompt("send one")
			x.see("digging")
			left := watch(t, append(s.marked("mark-guard"), s.worker(t))...)
			a := &actors{x.cmd.Process.Pid, x.pawl()}
			if both {
				a.kill(t, syscall.SIGKILL, a.guard, a.pawl)
			} else {
				a.kill(t, syscall.SIGKILL, a.guard)
			}
			left.gone(t)
			x.hasEnded()
			require.Contains(t, s.story(t, ""), `"interrupted"`)
		})
	}
}
