//go:build linux

package stories

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// A scene in which everything is under way: the parent speaks, a subagent in the
// background runs a command, that command has a child of its own and, outside its
// group and session and with an empty environment, a daemon.
const (
	stubborn   = "sleep 300 & (env -i setsid sleep 300 &) ; touch ready; wait"
	untilReady = "until test -e ready; do sleep 0.05; done"
)

// busy answers for the scene. After the end, a prompt gets its answer.
func busy(h modeltest.Request) modeltest.Reply {
	switch {
	case h.Asked("what now?"):
		return modeltest.Say("Gone on.")
	case h.Child("dig") && !h.Answered("shell"):
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": stubborn}))
	case h.Child("dig"):
		return modeltest.Say("It is dug.")
	case h.Answered("shell"):
		return modeltest.Say("I am still ").Until(make(chan struct{}))
	case h.Answered("agent"):
		return modeltest.Do(modeltest.Use("shell", modeltest.Object{"command": untilReady}))
	}
	return modeltest.Do(modeltest.Launch("a dig", "dig to the bottom"))
}

// ending is one way for Pawl to end.
type ending struct {
	points string                        // fail points that end it
	end    func(t *testing.T, a *actors) // else: what ends it
	code   int                           // the exit code
	state  string                        // of the runs, once the session is opened again
	says   string                        // in the one line that says why; empty: there is none
}

// actors are the processes of a scene.
type actors struct{ front, guard, pawl int }

// kill sends them all a signal. The first may bring the end of the others before
// theirs has come.
func (a *actors) kill(t *testing.T, signal syscall.Signal, pids ...int) {
	t.Helper()
	for i, pid := range pids {
		if err := syscall.Kill(pid, signal); i == 0 || !errors.Is(err, syscall.ESRCH) {
			require.NoError(t, err)
		}
	}
}

func toGuard(signal syscall.Signal) func(*testing.T, *actors) {
	return func(t *testing.T, a *actors) { a.kill(t, signal, a.guard) }
}

func toPawl(signal syscall.Signal) func(*testing.T, *actors) {
	return func(t *testing.T, a *actors) { a.kill(t, signal, a.pawl) }
}

func toBoth(signal syscall.Signal) func(*testing.T, *actors) {
	return func(t *testing.T, a *actors) { a.kill(t, signal, a.guard, a.pawl) }
}

// endings are those that the guard outlives.
var endings = map[string]ending{
	"SIGTERM to the guard":      {end: toGuard(syscall.SIGTERM), code: 143, state: "interrupted"},
	"SIGTERM to Pawl":           {end: toPawl(syscall.SIGTERM), code: 143, state: "interrupted"},
	"SIGTERM to both":           {end: toBoth(syscall.SIGTERM), code: 143, state: "interrupted"},
	"SIGHUP to both":            {end: toBoth(syscall.SIGHUP), code: 129, state: "interrupted"},
	"SIGINT to both":            {end: toBoth(syscall.SIGINT), code: 130, state: "canceled_by_user"},
	"SIGQUIT to the guard":      {end: toGuard(syscall.SIGQUIT), code: 2, state: "interrupted", says: "SIGQUIT"},
	"SIGQUIT to Pawl":           {end: toPawl(syscall.SIGQUIT), code: 2, state: "interrupted", says: "SIGQUIT"},
	"SIGKILL of Pawl":           {end: toPawl(syscall.SIGKILL), code: 137, state: "interrupted", says: "SIGKILL"},
	"SIGSEGV sent to Pawl":      {end: toPawl(syscall.SIGSEGV), code: 2, state: "interrupted", says: "a bug"},
	"a crash in a goroutine":    {points: "store.after.tool_ended=crash@2", code: 2, state: "interrupted", says: "a bug"},
	"os.Exit in a dependency":   {points: "store.after.tool_ended=exit@2", code: 7, state: "interrupted", says: "exit code 7"},
	"a crash while it is saved": {points: "store.inside.tool_ended=crash@2", code: 2, state: "interrupted", says: "a bug"},
}

func TestWhateverEndsTheScreenTheTerminalIsRightAndNothingIsLeft(t *testing.T) {
	for name, e := range endings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), busy).With("TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.2.0") // it has a progress bar
			x := harness.StartCommand(t, 120, 40, guarded(t, s, e.points))
			x.Ready()
			a := &actors{x.Cmd.Process.Pid, x.Guard(), x.Pawl()}
			x.Prompt("go")
			if e.end != nil {
				x.See("I am still")
				require.GreaterOrEqual(t, len(inside(t, s.Dir)), 5, "the guard, Pawl, a shell and its two")
				e.end(t, a)
			}
			require.Equal(t, e.code, x.Wait())
			requireEmpty(t, s.Dir)
			require.False(t, x.Opened(), "the alternate screen was left on")
			require.NotContains(t, x.Raw(), "goroutine ")
			said := strings.TrimSpace(x.Screen())
			require.LessOrEqual(t, strings.Count(said, "pawl: "), 1)
			requireSays(t, e, said)
			requireHonest(t, s, e)
		})
	}
}

func TestWhateverEndsAPromptNothingIsLeft(t *testing.T) {
	for name, e := range endings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := harness.NewStage(t, modeltest.Anthropic(), busy)
			s.With("PAWL_TOOLS_CONTAINMENT=group") // which a daemon escapes: the guard is the second net
			cmd := guarded(t, s, e.points, "-p", "go")
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			require.NoError(t, cmd.Start())
			a := &actors{guard: cmd.Process.Pid}
			if e.end != nil {
				s.Server.Await(t, modeltest.ParentTold("shell"))
				a.pawl = harness.ChildOf(t, a.guard)
				e.end(t, a)
			}
			harness.WaitEnd(t, cmd)
			require.Equal(t, e.code, cmd.ProcessState.ExitCode(), errs.String())
			requireEmpty(t, s.Dir)
			harness.RequireNoRaces(t, errs.String(), s.Env)
			if e.says != "" {
				harness.RequireOneLine(t, errs.String())
			}
			requireSays(t, e, errs.String())
			requireHonest(t, s, e)
		})
	}
}

// guarded is Pawl in the scene, with points at which it ends.
func guarded(t *testing.T, s *harness.Stage, points string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := harness.Binary()
	env := s.Env
	if points != "" {
		path, err = harness.WithFailpoints()
		env = append(env[:len(env):len(env)], "FAILPOINTS="+points)
	}
	require.NoError(t, err)
	cmd := exec.Command(path, s.Flags(append([]string{"--permission-mode", "bypass"}, args...)...)...)
	cmd.Dir, cmd.Env = s.Dir, env
	return cmd
}

// inside are the processes that work in a folder: Pawl, its guard, and all that its
// tools have started, in whatever namespace.
func inside(t *testing.T, dir string) (pids []int) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	links, err := filepath.Glob("/proc/[0-9]*/cwd")
	require.NoError(t, err)
	for _, link := range links {
		if at, err := os.Readlink(link); err == nil && at == dir {
			pid, err := strconv.Atoi(strings.Split(link, "/")[2])
			require.NoError(t, err)
			pids = append(pids, pid)
		}
	}
	return pids
}

// requireEmpty waits until no process works in a folder any more.
func requireEmpty(t *testing.T, dir string) {
	t.Helper()
	deadline := time.Now().Add(modeltest.Patience)
	for pids := inside(t, dir); len(pids) > 0; pids = inside(t, dir) {
		awaitEnd(t, pids[0], deadline)
	}
}

func awaitEnd(t *testing.T, pid int, deadline time.Time) {
	t.Helper()
	fd, err := unix.PidfdOpen(pid, 0)
	if err == unix.ESRCH {
		return
	}
	require.NoError(t, err)
	defer func() { _ = unix.Close(fd) }()
	for {
		left := max(0, int(time.Until(deadline).Milliseconds()))
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, left)
		if err == unix.EINTR {
			continue
		}
		require.NoError(t, err)
		if n == 0 {
			command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may end just now
			require.FailNow(t, "a process is left", "%d %q", pid, command)
		}
		return
	}
}

// requireSays holds what was said to the one line that there is to be, if any.
func requireSays(t *testing.T, e ending, said string) {
	t.Helper()
	if e.says == "" {
		require.NotContains(t, said, "pawl: it")
		require.NotContains(t, said, "pawl: a bug")
		return
	}
	require.Contains(t, said, "pawl: ")
	require.Contains(t, said, e.says)
	require.Contains(t, strings.Join(strings.Fields(said), " "), "pawl --continue")
}

// requireHonest opens the session again and reads how its runs have ended.
func requireHonest(t *testing.T, s *harness.Stage, e ending) {
	t.Helper()
	trace, _ := os.ReadFile(filepath.Join(s.Home, "state", "crash.log")) // it is there after a crash
	require.Equal(t, e.says != "", len(trace) > 0, "the crash file speaks of a crash, and only of one: %s", trace)
	if e.code == 2 {
		require.Contains(t, string(trace), "goroutine ")
	}
	_, errs, code := harness.Run(t, s.Dir, s.Env, s.Flags("--continue", "-p", "what now?")...)
	require.Equal(t, 0, code, errs)
	story := exportOf(t, s, "")
	for _, state := range []string{"interrupted", "canceled_by_user"} {
		require.Equal(t, state == e.state, strings.Contains(story, fmt.Sprintf("%q", state)), "%s in %s", state, story)
	}
}
