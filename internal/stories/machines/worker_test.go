//go:build linux

package machines

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// machine is what stands for another machine: a process `pawl worker` with a home of its own.
type machine struct {
	home string
	env  []string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended

	mu   sync.Mutex
	said bytes.Buffer
}

// Write takes what the worker says.
func (m *machine) Write(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.said.Write(p)
}

func (m *machine) says() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.said.String()
}

// worker starts a worker and waits until it takes jobs. It has the stage's variables, with a home of
// its own; args go to the command.
func (s *stage) worker(t *testing.T, args ...string) *machine {
	t.Helper()
	m := &machine{home: t.TempDir()}
	m.env = append(slices.Clone(s.Env), "HOME="+t.TempDir(), "PAWL_HOME="+m.home, "TMPDIR="+t.TempDir())
	m.start(t, args...)
	return m
}

// start starts it, again.
func (m *machine) start(t *testing.T, args ...string) {
	t.Helper()
	path, err := harness.Binary()
	require.NoError(t, err)
	m.cmd = exec.CommandContext(context.WithoutCancel(t.Context()), path, append([]string{"worker"}, args...)...)
	m.cmd.Dir, m.cmd.Env, m.cmd.Stdout, m.cmd.Stderr, m.cmd.WaitDelay = m.home, m.env, m, m, time.Second
	require.NoError(t, m.cmd.Start())
	cmd, done := m.cmd, make(chan struct{})
	m.done = done
	go func() {
		_ = cmd.Wait() // it is killed, mostly
		close(done)
	}()
	t.Cleanup(func() {
		m.kill()
		harness.RequireNoRaces(t, m.says(), m.env)
		if t.Failed() {
			t.Logf("the worker in %s said:\n%s\n%s", m.home, m.says(), m.log())
		}
	})
	require.Eventually(t, func() bool {
		select {
		case <-done:
			return true
		default:
			return strings.Contains(m.says(), " works for ")
		}
	}, modeltest.Patience, 10*time.Millisecond, "the worker does not begin")
	select {
	case <-done:
		require.FailNow(t, "the worker has ended", m.says())
	default:
	}
}

func (m *machine) log() string {
	text, _ := os.ReadFile(filepath.Join(m.home, "state", "pawl.log")) // there may be none
	return string(text)
}

// kill kills it as a power cut does, and waits for its end.
func (m *machine) kill() {
	_ = m.cmd.Process.Kill() // it may have ended
	<-m.done
}

// end ends it in order.
func (m *machine) end(t *testing.T) {
	t.Helper()
	require.NoError(t, m.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case <-m.done:
	case <-time.After(modeltest.Patience):
		require.FailNow(t, "the worker does not end")
	}
}

// processes are those of the machine, but for the worker's own.
func (m *machine) processes() (all []string) {
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is valid
	for _, folder := range folders {
		environ, _ := os.ReadFile(folder + "/environ") // it may be gone
		at, _ := os.Readlink(folder + "/cwd")
		line, err := os.ReadFile(folder + "/cmdline")
		pid, _ := strconv.Atoi(filepath.Base(folder))
		mine := strings.HasPrefix(at, m.home+"/") || bytes.Contains(environ, []byte("PAWL_HOME="+m.home+"\x00"))
		if err == nil && len(line) > 0 && mine && pid != m.cmd.Process.Pid {
			all = append(all, strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " ")))
		}
	}
	return all
}

// places are the folders of runs on the machine.
func (m *machine) places() []string {
	found, _ := filepath.Glob(filepath.Join(m.home, "data", "remote", "runs", "worker-*", "*")) // the pattern is valid
	return found
}

// requireBare waits until nothing of any run is left on the machine.
func (m *machine) requireBare(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return len(m.processes()) == 0 && len(m.places()) == 0 }, modeltest.Patience, 20*time.Millisecond,
		"a run has left something: %q %q", m.processes(), m.places())
}
