//go:build linux

package stories

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// calm is the scene of a command whose only process is the one that was started.
func calm(h modeltest.Request) modeltest.Reply {
	switch {
	case h.Asked("what now?"):
		return modeltest.Say("Gone on.")
	case h.Child("dig"):
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": "touch ready; exec sleep 300"}))
	}
	return busy(h)
}

// underAShell starts the scene as the job of a shell that goes on when the job
// stops or ends, and then reads a line.
func underAShell(t *testing.T, s *harness.Stage) *harness.Terminal {
	t.Helper()
	pawl := guarded(t, s, "")
	script := `set -m; (cd "$0" && exec "$@"); echo "it gave back: $?"; read line; fg && echo "it left: $?"; echo "heard $line"`
	cmd := exec.Command("bash", append([]string{"-c", script, pawl.Dir}, pawl.Args...)...)
	cmd.Dir, cmd.Env = t.TempDir(), pawl.Env
	x := harness.StartCommand(t, 120, 40, cmd)
	x.Ready()
	return x
}

// job are the processes of the scene under a shell.
func job(x *harness.Terminal) *actors {
	x.T.Helper()
	front := harness.ChildOf(x.T, x.Cmd.Process.Pid)
	guard := harness.ChildOf(x.T, front)
	return &actors{front, guard, harness.ChildOf(x.T, guard)}
}

func TestPawlPutsItsTerminalRightAndLeavesWhenItsGuardIsKilled(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), calm).With("TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.2.0") // it has a progress bar
	x := underAShell(t, s)
	a := job(x)
	x.Prompt("go")
	x.See("I am still")
	a.kill(t, syscall.SIGKILL, a.guard)
	x.SeeRaw("it gave back: 129")
	requireEmpty(t, s.Dir)
	x.WaitFor("the terminal as it was", func(string) bool { return harness.Restored(x.Raw()) == nil && !x.Opened() })
	x.CheckCooked()
	x.Type("yes", harness.KeyEnter)
	x.See("heard yes")
	x.Wait()
	require.NotContains(t, x.Raw(), "goroutine ")
	requireHonest(t, s, ending{state: "interrupted"})
}

func TestAPromptEndsWhenItsGuardIsKilled(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), calm)
	cmd := guarded(t, s, "", "-p", "go")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	require.NoError(t, cmd.Start())
	s.Server.Await(t, modeltest.ParentTold("shell"))
	a := &actors{guard: cmd.Process.Pid, pawl: harness.ChildOf(t, cmd.Process.Pid)}
	a.kill(t, syscall.SIGKILL, a.guard)
	harness.WaitEnd(t, cmd)
	requireEmpty(t, s.Dir)
	require.NotContains(t, errs.String(), "goroutine ")
	requireHonest(t, s, ending{state: "interrupted"})
}

func TestAPromptThatStillReadsItsInputEndsWithItsGuard(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), calm)
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		cmd := guarded(t, s, "", "-p")
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = io.WriteString(in, strings.Repeat("half a prompt ", 1<<14)) // more than the pipe holds: it reads
		require.NoError(t, err)
		require.Eventually(t, func() bool { return len(inside(t, s.Dir)) == 2 }, modeltest.Patience, 10*time.Millisecond)
		require.NoError(t, cmd.Process.Signal(signal))
		harness.WaitEnd(t, cmd)
		requireEmpty(t, s.Dir)
		if signal == syscall.SIGTERM {
			require.Equal(t, 143, cmd.ProcessState.ExitCode())
		}
	}
}

func TestNoToolOutlivesAPawlThatIsKilledWithItsGuard(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), calm)
	x := harness.StartCommand(t, 120, 40, guarded(t, s, ""))
	x.Ready()
	a := &actors{x.Cmd.Process.Pid, x.Guard(), x.Pawl()}
	x.Prompt("go")
	x.See("I am still")
	a.kill(t, syscall.SIGKILL, -a.guard)
	requireEmpty(t, s.Dir)
	x.AwaitEnd()
	requireHonest(t, s, ending{state: "interrupted"})
}

func TestAClosedTerminalEndsEverything(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), busy)
	x := harness.StartCommand(t, 120, 40, guarded(t, s, ""))
	x.Ready()
	x.Prompt("go")
	x.See("I am still")
	x.Vanish()
	requireEmpty(t, s.Dir)
	x.AwaitEnd()
	require.Equal(t, 129, x.Cmd.ProcessState.ExitCode())
	requireHonest(t, s, ending{state: "interrupted"})
}

// slow is a scene whose command says when it is told to stop, and does not.
func slow(h modeltest.Request) modeltest.Reply {
	if h.Child("dig") && !h.Answered("shell") {
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": `trap 'echo told > told' TERM; touch ready; while :; do sleep 300 & wait; done`}))
	}
	return busy(h)
}

func TestWhoAsksTwiceGetsTheEndAtOnce(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), slow)
	told := filepath.Join(s.Dir, "told")
	require.NoError(t, unix.Mkfifo(told, 0o600))
	ear, err := os.OpenFile(told, os.O_RDWR|unix.O_NONBLOCK, 0) // its own writer, so that it need not wait for one
	require.NoError(t, err)
	defer ear.Close()
	x := harness.StartCommand(t, 120, 40, guarded(t, s, ""))
	x.Ready()
	a := &actors{x.Cmd.Process.Pid, x.Guard(), x.Pawl()}
	x.Prompt("go")
	x.See("I am still")
	a.kill(t, syscall.SIGINT, a.guard, a.pawl)
	stopping := make(chan error, 1)
	go func() {
		_, err := ear.Read(make([]byte, 1))
		stopping <- err
	}()
	select {
	case err := <-stopping:
		require.NoError(t, err)
		a.kill(t, syscall.SIGINT, a.guard, a.pawl)
	case <-x.Done():
		t.Log("a starved machine: it killed the command before that heard of its end, so nobody could ask twice")
	}
	require.Equal(t, 130, x.Wait())
	requireEmpty(t, s.Dir)
	require.False(t, x.Opened())
	require.NotContains(t, x.Screen(), "pawl: ")
}

func TestOneKeyThatBothAreSentIsOneSignal(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), slow)
	x := harness.StartCommand(t, 120, 40, guarded(t, s, ""))
	x.Ready()
	a := &actors{x.Cmd.Process.Pid, x.Guard(), x.Pawl()}
	x.Prompt("go")
	x.See("I am still")
	a.kill(t, syscall.SIGTERM, a.guard)
	require.Eventually(t, func() bool {
		select {
		case <-x.Done(): // a starved machine: it killed the command before that heard of its end
			return true
		default:
		}
		_, err := os.Stat(filepath.Join(s.Dir, "told"))
		return err == nil
	}, modeltest.Patience, 10*time.Millisecond, "the end has begun")
	if err := syscall.Kill(a.pawl, syscall.SIGTERM); !errors.Is(err, syscall.ESRCH) { // late, as on a starved machine
		require.NoError(t, err)
	}
	require.Equal(t, 143, x.Wait())
	require.Contains(t, exportOf(t, s, ""), `"interrupted"`, "it was recorded by the Pawl that ended, not by a later one")
}

func TestCtrlZStopsTheFrontAloneAndFgBringsItBack(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("It adds.") })
	x := underAShell(t, s)
	a := job(x)
	x.Type("half a wo")
	x.See("half a wo")
	x.Type(harness.KeyCtrlZ)
	x.See("it gave back: 148") // SIGTSTP
	require.Equal(t, "T", stateOf(t, a.front))
	for _, pid := range []int{a.guard, a.pawl} {
		require.NotEqual(t, "T", stateOf(t, pid), "the session goes on")
	}
	x.CheckCooked()
	require.False(t, x.Opened())
	x.Type(harness.KeyEnter)
	x.Ready()
	x.See("half a wo")
	x.Prompt("rd")
	x.See("It adds.")
	x.Rest()
	x.Type(harness.KeyCtrlC)
	x.See("again")
	x.Type(harness.KeyCtrlC)
	x.See("it left: 0")
	x.Wait()
}

// stateOf is a process's state, as in /proc.
func stateOf(t *testing.T, pid int) string {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	return strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))[0]
}

func TestTimeoutEndsAPromptInOrder(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), busy)
	pawl := guarded(t, s, "", "-p", "go")
	cmd := exec.Command("timeout", append([]string{"--preserve-status", "3"}, pawl.Args...)...)
	cmd.Dir, cmd.Env = pawl.Dir, pawl.Env
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 143, cmd.ProcessState.ExitCode(), string(out))
	require.NotContains(t, string(out), "pawl: it")
	requireEmpty(t, s.Dir)
}
