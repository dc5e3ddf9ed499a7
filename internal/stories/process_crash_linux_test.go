package stories

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// digs is the scene of one task, which has begun and goes no further.
func digs(h heard) reply {
	switch {
	case h.child("dig"):
		return say("I have begun.").until(make(chan struct{}))
	case h.answered("task"):
		return say("It is gone.")
	}
	return do(task("dig to the bottom", false))
}

func TestProcessThatIsEndedFromOutsideIsAFailureAndItsPawlGoesOn(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		signal syscall.Signal
		code   int
		says   string
	}{
		"broken memory": {syscall.SIGSEGV, 2, "its process ended before its work did, with exit code 2: SIGSEGV: segmentation violation"},
		"a plain kill":  {syscall.SIGTERM, 143, "its process was killed by SIGTERM (exit code 143)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := set(t, anthropicProtocol(), digs)
			cmd := s.command(t, "--output-format", "json", "-p", "send one")
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			require.NoError(t, cmd.Start())
			s.server.await(t, fromChild("dig"))
			require.NoError(t, syscall.Kill(s.worker(t), one.signal))
			waitEnd(t, cmd)
			require.Equal(t, 3, cmd.ProcessState.ExitCode(), errs.String())
			var r report
			require.NoError(t, json.Unmarshal(out.Bytes(), &r))
			require.Equal(t, "It is gone.", r.Output)
			require.Equal(t, "process", r.Subagents[0].Error.Kind)
			got := processTelling(t, s.server.await(t, parentTold("task")), "task")
			require.Equal(t, "failed", got.Status)
			require.Equal(t, one.says, got.Error.Message)
			require.Equal(t, one.code, *got.ExitCode)
			require.Contains(t, s.story(t, r.Session), fmt.Sprintf(`"exit_code":%d`, one.code))
			require.NotContains(t, errs.String(), "goroutine ")
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
	require.Equal(t, "500", strings.TrimSpace(string(score)), "the kernel takes it first")
	require.NoError(t, unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}, nil))
	close(enough)
	got := processTelling(t, s.server.await(t, parentTold("task")), "task")
	require.Equal(t, "failed", got.Status)
	require.Equal(t, "process", got.Error.Kind)
	// Which memory it lacks first is chance: the heap's, a thread's or its first thread's stack.
	require.Regexp(t, "exit code 2: (fatal error: .*memory|.*unavailable · SIGABRT: abort|SIGSEGV: segmentation violation)", got.Error.Message)
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
				switch {
				case h.child("dig"):
					return do(digAs("mark-guard"))
				case h.answered("task"):
					return say("Sent.")
				}
				return do(task("dig to the bottom", true))
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
			if !both { // else the next start says so
				require.Contains(t, s.story(t, ""), `"interrupted"`)
			}
		})
	}
}
