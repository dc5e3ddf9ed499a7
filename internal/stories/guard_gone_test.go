//go:build linux

package stories

import (
	"bytes"
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
)

// calm is the scene of a command whose only process is the one that was started.
func calm(h heard) reply {
	switch {
	case h.asked("what now?"):
		return say("Gone on.")
	case h.child("dig"):
		return do(use("shell", object{"command": "touch ready; exec sleep 300"}))
	}
	return busy(h)
}

// underAShell starts the scene as the job of a shell that goes on when the job
// stops or ends, and then reads a line.
func underAShell(t *testing.T, s *stage) *terminal {
	t.Helper()
	pawl := guarded(t, s, "")
	script := `set -m; (cd "$0" && exec "$@"); echo "it gave back: $?"; read line; fg && echo "it left: $?"; echo "heard $line"`
	cmd := exec.Command("bash", append([]string{"-c", script, pawl.Dir}, pawl.Args...)...)
	cmd.Dir, cmd.Env = t.TempDir(), pawl.Env
	x := startCommand(t, 120, 40, cmd)
	x.ready()
	return x
}

// job are the processes of the scene under a shell.
func (x *terminal) job() *actors {
	x.t.Helper()
	guard := childOf(x.t, x.cmd.Process.Pid)
	return &actors{guard, childOf(x.t, guard)}
}

func TestPawlPutsItsTerminalRightAndLeavesWhenItsGuardIsKilled(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), calm).with("TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.2.0") // it has a progress bar
	x := underAShell(t, s)
	a := x.job()
	x.prompt("go")
	x.see("I am still")
	a.kill(t, syscall.SIGKILL, a.guard)
	x.seeRaw("it gave back: 137") // a shell that is quicker than Pawl says so on the alternate screen, which goes
	requireEmpty(t, s.dir)
	require.NoError(t, restored(x.raw()))
	require.False(t, x.opened())
	x.checkCooked()
	x.type_("yes", keyEnter)
	x.see("heard yes")
	x.wait()
	require.NotContains(t, x.raw(), "goroutine ")
	s.requireHonest(t, ending{state: "interrupted"})
}

func TestAPromptEndsWhenItsGuardIsKilled(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), calm)
	cmd := guarded(t, s, "", "-p", "go")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	require.NoError(t, cmd.Start())
	s.server.await(t, parentTold("shell"))
	a := &actors{cmd.Process.Pid, childOf(t, cmd.Process.Pid)}
	a.kill(t, syscall.SIGKILL, a.guard)
	waitEnd(t, cmd)
	requireEmpty(t, s.dir)
	require.NotContains(t, errs.String(), "goroutine ")
	s.requireHonest(t, ending{state: "interrupted"})
}

func TestAPromptThatStillReadsItsInputEndsWithItsGuard(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), calm)
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		cmd := guarded(t, s, "", "-p")
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = io.WriteString(in, strings.Repeat("half a prompt ", 1<<14)) // more than the pipe holds: it reads
		require.NoError(t, err)
		require.Len(t, inside(t, s.dir), 2)
		require.NoError(t, cmd.Process.Signal(signal))
		waitEnd(t, cmd)
		requireEmpty(t, s.dir)
		if signal == syscall.SIGTERM {
			require.Equal(t, 143, cmd.ProcessState.ExitCode())
		}
	}
}

func TestNoToolOutlivesAPawlThatIsKilledWithItsGuard(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), calm)
	x := startCommand(t, 120, 40, guarded(t, s, ""))
	x.ready()
	a := &actors{x.cmd.Process.Pid, x.pawl()}
	x.prompt("go")
	x.see("I am still")
	a.kill(t, syscall.SIGKILL, -a.guard)
	requireEmpty(t, s.dir)
	x.hasEnded()
	s.requireHonest(t, ending{state: "interrupted"})
}

func TestAClosedTerminalEndsEverything(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), busy)
	x := startCommand(t, 120, 40, guarded(t, s, ""))
	x.ready()
	x.prompt("go")
	x.see("I am still")
	x.vanish()
	requireEmpty(t, s.dir)
	x.hasEnded()
	require.Equal(t, 129, x.cmd.ProcessState.ExitCode())
	s.requireHonest(t, ending{state: "interrupted"})
}

// slow is a scene whose command says when it is told to stop, and does not.
func slow(h heard) reply {
	if h.child("dig") && !h.answered("shell") {
		return do(use("shell", object{"command": `trap 'echo told > told' TERM; touch ready; while :; do sleep 300 & wait; done`}))
	}
	return busy(h)
}

func TestWhoAsksTwiceGetsTheEndAtOnce(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), slow)
	told := filepath.Join(s.dir, "told")
	require.NoError(t, unix.Mkfifo(told, 0o600))
	ear, err := os.OpenFile(told, os.O_RDWR|unix.O_NONBLOCK, 0) // its own writer, so that it need not wait for one
	require.NoError(t, err)
	defer ear.Close()
	x := startCommand(t, 120, 40, guarded(t, s, ""))
	x.ready()
	a := &actors{x.cmd.Process.Pid, x.pawl()}
	x.prompt("go")
	x.see("I am still")
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
	case <-x.ended():
		t.Log("a starved machine: it killed the command before that heard of its end, so nobody could ask twice")
	}
	require.Equal(t, 130, x.wait())
	requireEmpty(t, s.dir)
	require.False(t, x.opened())
	require.NotContains(t, x.screen(), "pawl: ")
}

func TestOneKeyThatBothAreSentIsOneSignal(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), slow)
	x := startCommand(t, 120, 40, guarded(t, s, ""))
	x.ready()
	a := &actors{x.cmd.Process.Pid, x.pawl()}
	x.prompt("go")
	x.see("I am still")
	a.kill(t, syscall.SIGTERM, a.guard)
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(s.dir, "told"))
		return err == nil
	}, patience, 10*time.Millisecond, "the end has begun")
	a.kill(t, syscall.SIGTERM, a.pawl) // late, as on a starved machine
	require.Equal(t, 143, x.wait())
	require.Contains(t, s.story(t, ""), `"interrupted"`, "it was recorded by the Pawl that ended, not by a later one")
}

func TestCtrlZStopsBothAndFgBringsThemBack(t *testing.T) {
	t.Parallel()
	s := set(t, anthropicProtocol(), func(heard) reply { return say("It adds.") })
	x := underAShell(t, s)
	a := x.job()
	x.type_("half a wo")
	x.see("half a wo")
	x.type_(keyCtrlZ)
	x.see("it gave back: 148") // SIGTSTP
	for _, pid := range []int{a.guard, a.pawl} {
		require.Equal(t, "T", stateOf(t, pid))
	}
	x.checkCooked()
	require.False(t, x.opened())
	x.type_(keyEnter)
	x.ready()
	x.see("half a wo")
	x.prompt("rd")
	x.see("It adds.")
	x.rest()
	x.type_(keyCtrlC)
	x.see("again")
	x.type_(keyCtrlC)
	x.see("it left: 0")
	x.wait()
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
	s := set(t, anthropicProtocol(), busy)
	pawl := guarded(t, s, "", "-p", "go")
	cmd := exec.Command("timeout", append([]string{"--preserve-status", "3"}, pawl.Args...)...)
	cmd.Dir, cmd.Env = pawl.Dir, pawl.Env
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 143, cmd.ProcessState.ExitCode(), string(out))
	require.NotContains(t, string(out), "pawl: it")
	requireEmpty(t, s.dir)
}
