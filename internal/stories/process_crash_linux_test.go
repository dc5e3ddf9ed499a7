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

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// digs is the scene of one task, which has begun and goes no further.
func digs(h modeltest.Request) modeltest.Reply {
	switch {
	case h.Child("dig"):
		return modeltest.Say("I have begun.").Until(make(chan struct{}))
	case h.Answered("task"):
		return modeltest.Say("It is gone.")
	}
	return modeltest.Do(task("dig to the bottom", false))
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
			s := harness.NewStage(t, modeltest.Anthropic(), digs)
			cmd := s.Command(t, "--output-format", "json", "-p", "send one")
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			require.NoError(t, cmd.Start())
			s.Server.Await(t, modeltest.FromChild("dig"))
			require.NoError(t, syscall.Kill(workerOf(t, s), one.signal))
			harness.WaitEnd(t, cmd)
			require.Equal(t, 3, cmd.ProcessState.ExitCode(), errs.String())
			var r harness.Report
			require.NoError(t, json.Unmarshal(out.Bytes(), &r))
			require.Equal(t, "It is gone.", r.Output)
			require.Equal(t, "process", r.Subagents[0].Error.Kind)
			got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("task")), "task")
			require.Equal(t, "failed", got.Status)
			require.Equal(t, one.says, got.Error.Message)
			require.Equal(t, one.code, *got.ExitCode)
			require.Contains(t, exportOf(t, s, r.Session), fmt.Sprintf(`"exit_code":%d`, one.code))
			require.NotContains(t, errs.String(), "goroutine ")
		})
	}
}

func TestProcessThatRunsOutOfMemoryFailsAlone(t *testing.T) {
	t.Parallel()
	enough := make(chan struct{})
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		switch {
		case h.Child("dig"):
			return modeltest.Say("I have begun.").Until(enough, strings.Repeat("much more ", 1<<20), strings.Repeat("and more ", 1<<20))
		case h.Answered("task"):
			return modeltest.Say("It is gone.")
		}
		return modeltest.Do(task("dig to the bottom", false))
	})
	x := harness.StartCommand(t, 120, 40, guarded(t, s, "tool.none=kill")) // the build without the race detector, whose memory is no measure
	x.Ready()
	x.Prompt("send one")
	x.See("I have begun.")
	pid := workerOf(t, s)
	score, err := os.ReadFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid))
	require.NoError(t, err)
	require.Equal(t, "500", strings.TrimSpace(string(score)), "the kernel takes it first")
	require.NoError(t, unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}, nil))
	close(enough)
	got := processTelling(t, s.Server.Await(t, modeltest.ParentTold("task")), "task")
	require.Equal(t, "failed", got.Status)
	require.Equal(t, "process", got.Error.Kind)
	// Which memory it lacks first is chance: the heap's, a thread's or its first thread's stack.
	require.Regexp(t, "exit code 2: (fatal error: .*memory|.*unavailable · SIGABRT: abort|SIGSEGV: segmentation violation)", got.Error.Message)
	require.Contains(t, got.Output, "I have begun.")
	x.See("It is gone.")
	require.Equal(t, 0, x.Quit())
}

func TestProcessGoesOnWhenItOrItsPawlWasHalted(t *testing.T) {
	t.Parallel()
	for name, whole := range map[string]bool{"it": false, "its Pawl": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Child("dig") && h.Answered("read"):
					return modeltest.Say("The bottom is stone.")
				case h.Child("dig"):
					answer := modeltest.Do(modeltest.Use("read", modeltest.Object{"path": "calc.go"})).Saying("I dig.")
					answer.Hold = release
					return answer
				case h.Answered("task"):
					return modeltest.Say("Stone.")
				}
				return modeltest.Do(task("dig to the bottom", false))
			})
			x := s.Open(t)
			x.Prompt("send one")
			x.See("I dig.")
			halted := workerOf(t, s)
			if whole {
				halted = x.Pawl()
			}
			require.NoError(t, syscall.Kill(halted, syscall.SIGSTOP))
			close(release)
			require.NoError(t, syscall.Kill(halted, syscall.SIGCONT))
			x.See("Stone.")
			require.Equal(t, 0, x.Quit())
		})
	}
}

func TestNoProcessOutlivesItsPawlsGuard(t *testing.T) {
	t.Parallel()
	for name, both := range map[string]bool{"the guard": false, "both": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := toDig(t, harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
				switch {
				case h.Child("dig"):
					return modeltest.Do(digAs("mark-guard"))
				case h.Answered("task"):
					return modeltest.Say("Sent.")
				}
				return modeltest.Do(task("dig to the bottom", true))
			}))
			x := s.Open(t, "--permission-mode", "bypass")
			x.Prompt("send one")
			x.See("digging")
			left := watch(t, append(marked(s, "mark-guard"), workerOf(t, s))...)
			a := &actors{x.Cmd.Process.Pid, x.Guard(), x.Pawl()}
			if both {
				a.kill(t, syscall.SIGKILL, a.guard, a.pawl)
			} else {
				a.kill(t, syscall.SIGKILL, a.guard)
			}
			left.gone(t)
			x.AwaitEnd()
			x.Drain() // where the guard was killed, Pawl itself ends a moment later
			s.AwaitNoHost(t)
			if !both { // else the next start says so
				require.Contains(t, exportOf(t, s, ""), `"interrupted"`)
			}
		})
	}
}
