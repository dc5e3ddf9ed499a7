//go:build linux

package orders

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pawl/internal/machinelab"
)

// node is a machine, or what stands for one on this: where programs are run, and what can happen to
// them.
type node struct {
	name    string
	pawl    string   // the program there, if it is another one than the world's
	home    string   // PAWL_HOME
	env     []string // of its programs
	nats    string   // how the server is reached from there
	command func(ctx context.Context, folder string, env []string, name string, args ...string) *exec.Cmd
	program func(*exec.Cmd) int // the process of a command that was started

	processes func() []machinelab.Process
	cut, heal func(testing.TB)
	off       func() // all its processes end at once
	on        func(testing.TB)

	isCut, isOff bool

	mu   sync.Mutex
	said bytes.Buffer  // by its daemon, over all its lives
	cmd  *exec.Cmd     // its daemon, nil if that was ended
	done chan struct{} // closed when that has ended
}

// Write takes what the daemon says, a few lines at once, and notes when.
func (n *node) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.said.WriteString(time.Now().Format(clockTime) + " ")
	return n.said.Write(p)
}

// clockTime is how a time is noted that is compared with another one.
const clockTime = "15:04:05.000"

// says is all that its daemon has said.
func (n *node) says() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.said.String()
}

// start starts its daemon, a program that is to run until it is ended.
func (n *node) start(t testing.TB, path string, args ...string) {
	t.Helper()
	require.Nil(t, n.cmd, "%s runs one", n.name)
	n.cmd = n.command(context.WithoutCancel(t.Context()), n.home, n.env, path, args...)
	n.cmd.Stdout, n.cmd.Stderr = n, n
	require.NoError(t, n.cmd.Start())
	cmd, done := n.cmd, make(chan struct{})
	n.done = done
	go func() {
		_ = cmd.Wait() // it was killed, mostly
		close(done)
	}()
}

// ended waits for the end of the daemon, which was asked for.
func (n *node) ended() {
	if n.cmd != nil {
		<-n.done
		n.cmd = nil
	}
}

// gone says that the daemon has ended by itself, and lets another be started.
func (n *node) gone() bool {
	if n.cmd == nil {
		return false
	}
	select {
	case <-n.done:
		n.cmd = nil
		return true
	default:
		return false
	}
}

// end ends the daemon by a signal and waits until it has ended.
func (n *node) end(signal syscall.Signal) {
	if n.cmd != nil {
		_ = syscall.Kill(n.program(n.cmd), signal) // it may have ended
	}
	n.ended()
}

// machine makes a node of a machine of a lab.
func machine(m *machinelab.Machine, nats string) *node {
	return &node{
		name: m.Name, nats: nats, command: m.Command, program: machinelab.Program, processes: m.Processes,
		cut: m.Cut, heal: m.Heal, off: m.Off, on: m.On,
	}
}

// local makes a node of this machine, whose way to the server is a wire.
func local(name string, w *wire) *node {
	n := &node{name: name, cut: func(testing.TB) {}, heal: func(testing.TB) {}, on: func(testing.TB) {}}
	n.command = func(ctx context.Context, folder string, env []string, path string, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, path, args...)
		cmd.Dir, cmd.Env = folder, env
		return cmd
	}
	n.program = func(cmd *exec.Cmd) int { return cmd.Process.Pid }
	if w != nil {
		n.nats = "tls://" + w.address()
		n.cut, n.heal = func(testing.TB) { w.cut() }, func(testing.TB) { w.heal() }
	}
	n.processes = func() []machinelab.Process { return processesOf(n.home) }
	n.off = func() {
		for all := n.processes(); len(all) > 0; all = n.processes() {
			for _, p := range all {
				_ = syscall.Kill(p.ID, syscall.SIGKILL) // it may have ended
			}
		}
	}
	return n
}

// processesOf are those that have a folder as their PAWL_HOME, or work below it.
func processesOf(home string) (all []machinelab.Process) {
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is valid
	for _, folder := range folders {
		environ, _ := os.ReadFile(folder + "/environ") // it may be gone
		at, _ := os.Readlink(folder + "/cwd")
		line, err := os.ReadFile(folder + "/cmdline")
		if err != nil || len(line) == 0 || !strings.HasPrefix(at, home) && !bytes.Contains(environ, []byte("PAWL_HOME="+home+"\x00")) {
			continue
		}
		id, _ := strconv.Atoi(filepath.Base(folder))
		all = append(all, machinelab.Process{ID: id, Command: strings.TrimSpace(strings.ReplaceAll(string(line), "\x00", " "))})
	}
	return all
}
