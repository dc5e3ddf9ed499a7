package process

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/launch"
	"pawl/internal/soaktest"
)

// shape is a way of a program to be more than one process. TOKEN in it makes its
// processes known by their arguments alone.
type shape struct {
	setup    string
	sleepers int
	lost     bool // it wipes the environment and leaves its session
}

// The five shapes of the reference, and what is worse. Behind each the program
// waits until it may end.
var childShapes = map[string]shape{
	"plain":                 {"", 0, false},
	"background grandchild": {`sleep 86400.TOKEN &`, 1, false},
	"holds the pipe":        {`(sleep 86400.TOKEN &) ; (sleep 86400.TOKEN >/dev/null &)`, 2, false},
	"ignores TERM":          {`trap '' TERM; sleep 86400.TOKEN >/dev/null 2>&1 &`, 1, false},
	"own group":             {`set -m; sleep 86400.TOKEN >/dev/null 2>&1 &`, 1, false},
	"setsid daemon":         {`setsid sleep 86400.TOKEN >/dev/null 2>&1 &`, 1, false},
	"double fork":           {`(setsid sh -c 'sleep 86400.TOKEN & sleep 86400.TOKEN' </dev/null >/dev/null 2>&1 &)`, 2, false},
	"cleared environment":   {`env -i setsid sleep 86400.TOKEN >/dev/null 2>&1 &`, 1, true},
	"all of it": {`trap '' TERM; (env -i setsid sh -c 'trap "" TERM HUP; (sleep 86400.TOKEN &); setsid sleep 86400.TOKEN & sleep 86400.TOKEN' ` +
		`</dev/null >/dev/null 2>&1 &)`, 3, true},
}

// specimen is one program that does not want to end.
type specimen struct {
	shape
	token, folder, gate string
}

func newSpecimen(t *testing.T, s shape) specimen {
	t.Helper()
	token := strconv.FormatInt(time.Now().UnixNano(), 10)
	folder := t.TempDir()
	gate := filepath.Join(folder, "gate."+token)
	require.NoError(t, syscall.Mkfifo(gate, 0o666))
	t.Cleanup(func() {
		for pid := range tokens(token) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return specimen{s, token, folder, gate}
}

func (s specimen) line() string {
	return strings.ReplaceAll(s.setup, "TOKEN", s.token) + "\ncat " + s.gate + "\nexit 5"
}

// tokens lists the living processes that have a token in their arguments.
func tokens(token string) map[int]string {
	found := map[int]string{}
	proc, err := os.Open("/proc")
	if err != nil {
		return found
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1) // nothing is asked of each: this is called all the time
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if text, err := os.ReadFile("/proc/" + name + "/cmdline"); err == nil && bytes.Contains(text, []byte(token)) {
			found[pid] = string(bytes.ReplaceAll(text, []byte{0}, []byte{' '}))
		}
	}
	return found
}

// isUp waits until all of the program runs.
func (s specimen) isUp(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		sleepers, waits := 0, 0
		for _, command := range tokens(s.token) {
			if strings.HasPrefix(command, "sleep ") {
				sleepers++
			}
			if strings.HasPrefix(command, "cat ") {
				waits++
			}
		}
		return sleepers == s.sleepers && waits == 1
	}, patience, 20*time.Millisecond, "%v", tokens(s.token))
}

func (s specimen) helper(t *testing.T) int {
	t.Helper()
	for pid, command := range tokens(s.token) {
		if strings.HasPrefix(command, launch.Name+" ") {
			return pid
		}
	}
	t.Fatal("no helper")
	return 0
}

// letEnd lets the program end by itself.
func (s specimen) letEnd(t *testing.T) {
	t.Helper()
	file, err := os.OpenFile(s.gate, os.O_WRONLY, 0)
	require.NoError(t, err)
	require.NoError(t, file.Close())
}

// isGone holds a stop to what it says: all that it finds is gone or, on a starved machine, will be.
func (s specimen) isGone(t *testing.T, err error, finds bool) {
	t.Helper()
	if err != nil {
		require.ErrorContains(t, err, "goes on trying to end it")
	}
	if err != nil && finds {
		require.Eventually(t, func() bool { return len(tokens(s.token)) == 0 }, patience, 10*time.Millisecond)
	}
	if finds {
		require.Empty(t, tokens(s.token))
	}
}

type outcome struct {
	done Finished
	err  error
}

// lifeUntil runs the specimen and ends it.
func (s specimen) lifeUntil(t *testing.T, mode launch.Mode, limit time.Duration, end func(cancel func())) outcome {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	l := &Launcher{Owner: "specimen", Containment: Containment(mode)}
	c := shellCommand(s.line())
	c.Folder, c.Limit = s.folder, limit
	result := make(chan outcome, 1)
	go func() {
		done, err := l.Run(ctx, c)
		result <- outcome{done, err}
	}()
	if limit == 0 {
		s.isUp(t)
		end(cancel)
	}
	return <-result
}

// promised says whether a mode finds the specimen's processes. Where it does not,
// the gaps have to say so.
func promised(t *testing.T, mode launch.Mode, s specimen, helperKilled bool) bool {
	t.Helper()
	gaps := strings.Join(CheckContainment(t.Context(), Containment(mode)).Gaps, "\n")
	switch {
	case !s.lost || mode == launch.Namespace:
		return true
	case mode == launch.Group:
		require.Contains(t, gaps, "A process that has left its group and session and wiped its environment is not found, and keeps running.")
		return false
	case helperKilled:
		require.Contains(t, gaps, "A command can kill its helper: a process that has left the command's session and wiped its environment then keeps running.")
		return false
	default:
		return true
	}
}

// forAll runs a test for every shape in every mode.
func forAll(t *testing.T, try func(t *testing.T, mode launch.Mode, s specimen)) {
	var tried atomic.Int64
	t.Cleanup(func() { soaktest.Tried(t, int(tried.Load()), "process shapes × ends × containments") })
	for _, mode := range modesHere() {
		for name, shape := range childShapes {
			if os.Getenv(unprivileged) != "" && (mode == launch.Group || name != "all of it" && name != "plain") {
				continue
			}
			t.Run(string(mode)+", "+name, func(t *testing.T) {
				t.Parallel()
				if err := possible(t.Context(), mode); err != nil {
					t.Skip(err)
				}
				s := newSpecimen(t, shape)
				try(t, mode, s)
				tried.Add(1)
			})
		}
	}
}

func TestNothingIsLeftWhenTheProgramEnds(t *testing.T) {
	forAll(t, func(t *testing.T, mode launch.Mode, s specimen) {
		got := s.lifeUntil(t, mode, 0, func(func()) { s.letEnd(t) })
		require.NoError(t, got.err)
		require.Equal(t, 5, got.done.ExitCode)
		require.Equal(t, NotStopped, got.done.Stopped)
		if promised(t, mode, s, false) {
			require.Empty(t, tokens(s.token))
			require.GreaterOrEqual(t, got.done.Left, s.sleepers) // a shell between may have been left too
			require.Equal(t, s.sleepers > 0, got.done.Left > 0)
		}
	})
}

func TestNothingIsLeftWhenItIsCanceled(t *testing.T) {
	forAll(t, func(t *testing.T, mode launch.Mode, s specimen) {
		got := s.lifeUntil(t, mode, 0, func(cancel func()) { cancel() })
		require.Equal(t, StopCanceled, got.done.Stopped)
		s.isGone(t, got.err, promised(t, mode, s, false))
	})
}

func TestNothingIsLeftAtTheTimeLimit(t *testing.T) {
	forAll(t, func(t *testing.T, mode launch.Mode, s specimen) {
		got := s.lifeUntil(t, mode, 700*time.Millisecond, nil)
		require.Equal(t, StopTimeLimit, got.done.Stopped)
		s.isGone(t, got.err, promised(t, mode, s, false))
	})
}

// Where the helper is process 1 of a namespace nothing can be left. A subreaper's
// helper takes the knowledge with it: what no mark and no session tells lives on,
// and that is said.
func TestAKilledHelperLeavesNothingAndIsTold(t *testing.T) {
	forAll(t, func(t *testing.T, mode launch.Mode, s specimen) {
		got := s.lifeUntil(t, mode, 0, func(func()) { require.NoError(t, syscall.Kill(s.helper(t), syscall.SIGKILL)) })
		require.Regexp(t, `^the helper process \(pawl-launch\) ended before the command did, signal: killed|killed, but still there`, got.err) // the latter on a starved machine
		require.NotContains(t, got.err.Error(), "\n")
		require.Equal(t, -1, got.done.ExitCode)
		if promised(t, mode, s, true) {
			require.Eventually(t, func() bool { return len(tokens(s.token)) == 0 }, patience, 10*time.Millisecond)
		}
	})
}

// A Pawl that is killed says nothing to anybody.
func TestNothingOutlivesAKilledPawl(t *testing.T) {
	forAll(t, func(t *testing.T, mode launch.Mode, s specimen) {
		pawl := role(t, mode, s.folder, s.line(), 1)
		s.isUp(t)
		require.NoError(t, pawl.Process.Kill())
		_ = pawl.Wait()
		if promised(t, mode, s, false) {
			require.Eventually(t, func() bool { return len(tokens(s.token)) == 0 }, patience, 20*time.Millisecond, "%v", tokens(s.token))
		}
	})
}

// Killed while it starts one program after the other, at whatever point.
func TestNothingOutlivesAPawlThatIsKilledAmidStarts(t *testing.T) {
	for _, mode := range []launch.Mode{launch.Namespace, launch.Subreaper} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			for n := range 5 {
				s := newSpecimen(t, childShapes["all of it"])
				pawl := role(t, mode, s.folder, strings.ReplaceAll(s.setup, "TOKEN", s.token), 3)
				require.Eventually(t, func() bool { return len(tokens(s.token)) > n }, patience, time.Millisecond)
				require.NoError(t, pawl.Process.Kill())
				_ = pawl.Wait()
				require.Eventually(t, func() bool { return len(tokens(s.token)) == 0 }, patience, 20*time.Millisecond, "%v", tokens(s.token))
			}
		})
	}
}

// What forks while it is killed does not get away.
func TestForksDoNotRunAwayFromTheKill(t *testing.T) {
	for _, mode := range []launch.Mode{launch.Namespace, launch.Subreaper} {
		t.Run(string(mode), func(t *testing.T) {
			t.Parallel()
			s := newSpecimen(t, shape{})
			s.setup = `trap '' TERM; f() { for i in $(seq 200); do env -i setsid sh -c 'trap "" TERM; sleep 86400.TOKEN' >/dev/null 2>&1 & done; }; f & f &`
			l := &Launcher{Owner: "forks", Containment: Containment(mode)}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			result := make(chan error, 1)
			go func() {
				c := shellCommand(s.line())
				c.Folder = s.folder
				_, err := l.Run(ctx, c)
				result <- err
			}()
			require.Eventually(t, func() bool { return len(tokens(s.token)) > 40 }, patience, time.Millisecond)
			cancel()
			s.isGone(t, <-result, true)
		})
	}
}

// unprivileged says that these tests run as nobody: what root gets without a user
// namespace, others get with one.
const unprivileged = "PAWL_TEST_UNPRIVILEGED"

func TestTheSameHoldsWithoutPrivileges(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("these are not root's tests anyway")
	}
	folder, err := os.MkdirTemp("", "nobody")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	require.NoError(t, os.Chmod(folder, 0o777))
	cages, err := os.MkdirTemp("/opt", "cages")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(cages) })
	require.NoError(t, os.Chmod(cages, 0o777))
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.v", "-test.run",
		"^(TestNothingIsLeft|TestAKilledHelper|TestNothingOutlives|TestInside|TestExitCodes|TestTheStrongest"+
			"|TestAClosedCommand|TestWhereTheSandboxIsNotWhole|TestStrict|TestNoCommandKeeps|TestTheSandbox|TestGitWorksInTheSandbox|TestInANamespace|TestNoCommandReads)")
	cmd.Env = append(os.Environ(), unprivileged+"=1", "TMPDIR="+folder, "HOME="+folder, cageVariable+"="+cages)
	cmd.Dir = folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}, Pdeathsig: syscall.SIGKILL}
	output, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", output)
	t.Logf("%s", skipped(output))
}

// skipped keeps the lines that say what was not tried.
func skipped(output []byte) []byte {
	lines := slices.DeleteFunc(bytes.Split(output, []byte{'\n'}), func(line []byte) bool {
		return !bytes.Contains(line, []byte("SKIP")) && !bytes.HasPrefix(line, []byte("ok"))
	})
	return bytes.Join(lines, []byte{'\n'})
}
