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
)

// A scene in which everything is under way: the parent speaks, a subagent in the
// background runs a command, that command has a child of its own and, outside its
// group and session and with an empty environment, a daemon.
const (
	stubborn   = "sleep 300 & (env -i setsid sleep 300 &) ; touch ready; wait"
	untilReady = "until test -e ready; do sleep 0.05; done"
)

// busy answers for the scene. After the end, a prompt gets its answer.
func busy(h heard) reply {
	switch {
	case h.asked("what now?"):
		return say("Gone on.")
	case h.child("dig") && !h.answered("shell"):
		return do(use("shell", object{"command": stubborn}))
	case h.child("dig"):
		return say("It is dug.")
	case h.answered("shell"):
		return say("I am still ").until(make(chan struct{}))
	case h.answered("agent"):
		return do(use("shell", object{"command": untilReady}))
	}
	return do(launch("a dig", "dig to the bottom"))
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
type actors struct{ guard, pawl int }

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
			s := set(t, anthropicProtocol(), busy).with("TERM_PROGRAM=ghostty", "TERM_PROGRAM_VERSION=1.2.0") // it has a progress bar
			x := startCommand(t, 120, 40, guarded(t, s, e.points))
			x.ready()
			a := &actors{x.cmd.Process.Pid, x.pawl()}
			x.prompt("go")
			if e.end != nil {
				x.see("I am still")
				require.GreaterOrEqual(t, len(inside(t, s.dir)), 5, "the guard, Pawl, a shell and its two")
				e.end(t, a)
			}
			require.Equal(t, e.code, x.wait())
			requireEmpty(t, s.dir)
			require.False(t, x.opened(), "the alternate screen was left on")
			require.NotContains(t, x.raw(), "goroutine ")
			said := strings.TrimSpace(x.screen())
			require.LessOrEqual(t, strings.Count(said, "pawl: "), 1)
			requireSays(t, e, said)
			s.requireHonest(t, e)
		})
	}
}

func TestWhateverEndsAPromptNothingIsLeft(t *testing.T) {
	for name, e := range endings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := set(t, anthropicProtocol(), busy)
			s.with("PAWL_TOOLS_CONTAINMENT=group") // which a daemon escapes: the guard is the second net
			cmd := guarded(t, s, e.points, "-p", "go")
			var out, errs bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errs
			require.NoError(t, cmd.Start())
			a := &actors{guard: cmd.Process.Pid}
			if e.end != nil {
				s.server.await(t, parentTold("shell"))
				a.pawl = childOf(t, a.guard)
				e.end(t, a)
			}
			waitEnd(t, cmd)
			require.Equal(t, e.code, cmd.ProcessState.ExitCode(), errs.String())
			requireEmpty(t, s.dir)
			requireNoRaces(t, errs.String(), s.env)
			if e.says != "" {
				requireOneLine(t, errs.String())
			}
			requireSays(t, e, errs.String())
			s.requireHonest(t, e)
		})
	}
}

// guarded is Pawl in the scene, with points at which it ends.
func guarded(t *testing.T, s *stage, points string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	env := s.env
	if points != "" {
		path, err = failpointBinary()
		env = append(env[:len(env):len(env)], "FAILPOINTS="+points)
	}
	require.NoError(t, err)
	cmd := exec.Command(path, s.flags(append([]string{"--permission-mode", "bypass"}, args...)...)...)
	cmd.Dir, cmd.Env = s.dir, env
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
	deadline := time.Now().Add(patience)
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
func (s *stage) requireHonest(t *testing.T, e ending) {
	t.Helper()
	trace, _ := os.ReadFile(filepath.Join(s.home, "state", "crash.log")) // it is there after a crash
	require.Equal(t, e.says != "", len(trace) > 0, "the crash file speaks of a crash, and only of one: %s", trace)
	if e.code == 2 {
		require.Contains(t, string(trace), "goroutine ")
	}
	_, errs, code := run(t, s.dir, s.env, s.flags("--continue", "-p", "what now?")...)
	require.Equal(t, 0, code, errs)
	story := s.story(t, "")
	for _, state := range []string{"interrupted", "canceled_by_user"} {
		require.Equal(t, state == e.state, strings.Contains(story, fmt.Sprintf("%q", state)), "%s in %s", state, story)
	}
}
