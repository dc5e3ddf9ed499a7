//go:build unix

package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/termios"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Terminal is Pawl on a pseudo-terminal, with an emulator in front that draws what
// a person would see.
//
//	pawl ─► pty ─► emulator ─► screen ─► See, WaitFor
//	  ▲──── pty ◄─ keys, and the emulator's answers
type Terminal struct {
	T       testing.TB // which fails when the screen never shows what it should
	Cmd     *exec.Cmd
	master  *os.File
	slave   *os.File
	before  unix.Termios  // its settings, as a shell would have left them
	quiet   chan struct{} // closed when no output can come any more
	exited  chan struct{}
	copying sync.WaitGroup

	mu      sync.Mutex
	screens *vt.Emulator
	output  []byte
	changed chan struct{} // closed and replaced with every piece of output
}

// Start starts Pawl in a folder, on a terminal of 120×40, and ends it with the
// test.
func Start(t testing.TB, dir string, env []string, args ...string) *Terminal {
	t.Helper()
	return StartSized(t, 120, 40, dir, env, args...)
}

// StartSized is Start on a terminal of any size.
func StartSized(t testing.TB, width, height int, dir string, env []string, args ...string) *Terminal {
	t.Helper()
	path, err := Binary()
	require.NoError(t, err)
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), path, args...) // x.end ends it
	cmd.Dir, cmd.Env = dir, env
	return StartCommand(t, width, height, cmd)
}

// StartCommand puts any command on a terminal.
func StartCommand(t testing.TB, width, height int, cmd *exec.Cmd) *Terminal {
	t.Helper()
	return StartCommandAs(t, width, height, cmd, nil)
}

// StartCommandAs is StartCommand as another user, if one is given, which takes root.
func StartCommandAs(t testing.TB, width, height int, cmd *exec.Cmd, user *syscall.Credential) *Terminal {
	t.Helper()
	master, slave, err := openPTY()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(slave, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Credential: user}
	if user != nil {
		require.NoError(t, slave.Chown(int(user.Uid), int(user.Gid)))
	}
	x := &Terminal{
		T: t, Cmd: cmd, master: master, slave: slave, screens: newEmulator(width, height),
		quiet: make(chan struct{}), exited: make(chan struct{}), changed: make(chan struct{}),
	}
	settings, err := termios.GetTermios(int(slave.Fd()))
	require.NoError(t, err)
	x.before = *settings
	require.NoError(t, cmd.Start())
	x.copying.Go(x.read)
	x.copying.Go(func() { // the emulator's answers
		_, _ = io.Copy(master, x.screens)
		_, _ = io.Copy(io.Discard, x.screens) // the terminal was closed: it waits for nobody
	})
	x.copying.Go(func() {
		_ = cmd.Wait() // the code is read from its state
		close(x.exited)
	})
	t.Cleanup(x.end)
	return x
}

// openPTY opens a pseudo-terminal whose master can be closed while it is read.
func openPTY() (master, slave *os.File, err error) {
	master, slave, err = pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer master.Close()
	fd, err := unix.FcntlInt(master.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		return nil, nil, errors.Join(err, slave.Close())
	}
	return os.NewFile(uintptr(fd), master.Name()), slave, nil
}

// read takes in what Pawl writes until its terminal is gone.
func (x *Terminal) read() {
	defer close(x.quiet)
	buffer := make([]byte, 64<<10)
	for {
		n, err := x.master.Read(buffer)
		x.mu.Lock()
		x.output = append(x.output, buffer[:n]...)
		_, _ = x.screens.Write(buffer[:n])
		close(x.changed)
		x.changed = make(chan struct{})
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// newEmulator is a terminal of a size, and of any other later. What was written for a
// larger one may come after a resize and ask for lines to scroll that are not there any
// more: terminals then take their last line for it, but vt keeps the margin as it is told,
// and panics in the scroll. So that is put right before vt reads it.
func newEmulator(width, height int) *vt.Emulator {
	e := vt.NewEmulator(width, height)
	e.RegisterCsiHandler('r', func(margins ansi.Params) bool {
		if bottom, _, there := margins.Param(1, 0); there && bottom > e.Height() {
			margins[1] = ansi.Param(e.Height())
		}
		return false // vt's own goes on with them
	})
	return e
}

// Device is the path of the terminal's device.
func (x *Terminal) Device() string { return x.slave.Name() }

// Resize gives the terminal another size, as a window manager would.
func (x *Terminal) Resize(width, height int) {
	x.T.Helper()
	x.mu.Lock()
	x.screens.Resize(width, height)
	x.mu.Unlock()
	require.NoError(x.T, pty.Setsize(x.slave, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}))
}

// Guard is the guard of the host that draws on this terminal. The process that was started is the
// front.
func (x *Terminal) Guard() int {
	x.T.Helper()
	return ChildOf(x.T, x.Cmd.Process.Pid)
}

// Pawl is that host.
func (x *Terminal) Pawl() int {
	x.T.Helper()
	return ChildOf(x.T, x.Guard())
}

// ChildOf is a process's first child: what a front or a guard gets besides comes later. Without such lists, as outside Linux, it is the process itself.
func ChildOf(t testing.TB, pid int) int {
	t.Helper()
	list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	if err != nil {
		return pid
	}
	first, _, _ := strings.Cut(string(list), " ")
	child, err := strconv.Atoi(first)
	require.NoError(t, err, "the children of the guard")
	return child
}

// Signal sends a signal to the process that was started, which is the front.
func (x *Terminal) Signal(signal os.Signal) {
	x.T.Helper()
	require.NoError(x.T, x.Cmd.Process.Signal(signal))
}
