package stories

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/termios"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// The keys of a terminal, as it sends them.
const (
	keyAltB           = "\x1bb"
	keyAltBackspace   = "\x1b\x7f"
	keyAltC           = "\x1bc"
	keyAltCtrlH       = "\x1b\b"
	keyAltD           = "\x1bd"
	keyAltDelete      = "\x1b[3;3~"
	keyAltDown        = "\x1b[1;3B"
	keyAltF           = "\x1bf"
	keyAltGreater     = "\x1b>"
	keyAltL           = "\x1bl"
	keyAltLeft        = "\x1b[1;3D"
	keyAltLess        = "\x1b<"
	keyAltRight       = "\x1b[1;3C"
	keyAltShiftComma  = "\x1b[44;4u" // this and the like by terminals that tell all keys apart
	keyAltShiftPeriod = "\x1b[46;4u"
	keyAltU           = "\x1bu"
	keyAltUp          = "\x1b[1;3A"
	keyAltY           = "\x1by"
	keyBackspace      = "\x7f"
	keyCtrlA          = "\x01"
	keyCtrlB          = "\x02"
	keyCtrlBackspace  = "\x1b[127;5u"
	keyCtrlC          = "\x03"
	keyCtrlD          = "\x04"
	keyCtrlDelete     = "\x1b[3;5~"
	keyCtrlE          = "\x05"
	keyCtrlEnd        = "\x1b[1;5F"
	keyCtrlF          = "\x06"
	keyCtrlG          = "\a"
	keyCtrlH          = "\x08"
	keyCtrlHome       = "\x1b[1;5H"
	keyCtrlK          = "\v"
	keyCtrlLeft       = "\x1b[1;5D"
	keyCtrlN          = "\x0e"
	keyCtrlO          = "\x0f"
	keyCtrlP          = "\x10"
	keyCtrlR          = "\x12"
	keyCtrlRight      = "\x1b[1;5C"
	keyCtrlS          = "\x13"
	keyCtrlShiftMinus = "\x1b[45;6u"
	keyCtrlSlash      = "\x1b[47;5u"
	keyCtrlT          = "\x14"
	keyCtrlU          = "\x15"
	keyCtrlUnderscore = "\x1f"
	keyCtrlUp         = "\x1b[1;5A"
	keyCtrlW          = "\x17"
	keyCtrlX          = "\x18"
	keyCtrlY          = "\x19"
	keyCtrlZ          = "\x1a"
	keyDelete         = "\x1b[3~"
	keyDown           = "\x1b[B"
	keyEnd            = "\x1b[F"
	keyEnter          = "\r"
	keyEsc            = "\x1b"
	keyHome           = "\x1b[H"
	keyLeft           = "\x1b[D"
	keyPgDown         = "\x1b[6~"
	keyPgUp           = "\x1b[5~"
	keyRight          = "\x1b[C"
	keyShiftBackspace = "\x1b[127;2u"
	keyShiftDown      = "\x1b[1;2B"
	keyShiftEnter     = "\x1b[13;2u"
	keyShiftTab       = "\x1b[Z"
	keyShiftUp        = "\x1b[1;2A"
	keyTab            = "\t"
	keyUp             = "\x1b[A"
)

// terminal is Pawl on a pseudo-terminal, with an emulator in front that draws what
// a person would see.
//
//	pawl ─► pty ─► emulator ─► screen ─► see, waitFor
//	  ▲──── pty ◄─ keys, and the emulator's answers
type terminal struct {
	t       testing.TB
	cmd     *exec.Cmd
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

// start starts Pawl in a folder, on a terminal of 120×40, and ends it with the
// test.
func start(t testing.TB, dir string, env []string, args ...string) *terminal {
	t.Helper()
	return startSized(t, 120, 40, dir, env, args...)
}

func startSized(t testing.TB, width, height int, dir string, env []string, args ...string) *terminal {
	t.Helper()
	path, err := binary()
	require.NoError(t, err)
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = dir, env
	return startCommand(t, width, height, cmd)
}

// startCommand puts any command on a terminal.
func startCommand(t testing.TB, width, height int, cmd *exec.Cmd) *terminal {
	t.Helper()
	master, slave, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(slave, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	x := &terminal{
		t: t, cmd: cmd, master: master, slave: slave, screens: newEmulator(width, height),
		quiet: make(chan struct{}), exited: make(chan struct{}), changed: make(chan struct{}),
	}
	settings, err := termios.GetTermios(int(slave.Fd()))
	require.NoError(t, err)
	x.before = *settings
	require.NoError(t, cmd.Start())
	x.copying.Go(x.read)
	x.copying.Go(func() { _, _ = io.Copy(master, x.screens) }) // the emulator's answers
	x.copying.Go(func() {
		_ = cmd.Wait() // the code is read from its state
		close(x.exited)
	})
	t.Cleanup(x.end)
	return x
}

// end ends what is left of it.
func (x *terminal) end() {
	_ = syscall.Kill(-x.cmd.Process.Pid, syscall.SIGKILL) // it may have ended
	x.hasEnded()
	x.drain()
	_ = x.screens.InputPipe().(io.Closer).Close()
	x.copying.Wait()
	_ = x.master.Close()
	requireNoRaces(x.t, x.raw(), x.cmd.Env)
	if x.t.Failed() {
		x.t.Logf("the last screen:\n%s", framed(x.screen()))
	}
}

// drain waits for the last output. The slave is closed here, and the output ends
// when nobody else holds it either.
func (x *terminal) drain() {
	_ = x.slave.Close() // a second time it is closed already
	select {
	case <-x.quiet:
	case <-time.After(patience):
		x.t.Error("something still holds the terminal after the end of pawl")
		_ = x.master.Close()
	}
}

// read takes in what Pawl writes until its terminal is gone.
func (x *terminal) read() {
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

// opened says that Pawl has the alternate screen.
func (x *terminal) opened() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screens.IsAltScreen()
}

// type_ presses keys, one write each: text, or one of the constants above.
func (x *terminal) type_(keys ...string) {
	x.t.Helper()
	for _, key := range keys {
		_, err := x.master.WriteString(key)
		require.NoError(x.t, err)
	}
}

// tryType types into a terminal whose program may have ended already.
func (x *terminal) tryType(keys string) { _, _ = x.master.WriteString(keys) }

// typeIntoTheStart types and waits until something was written since: by the terminal
// itself as long as the line is its own, by Pawl from then on.
func (x *terminal) typeIntoTheStart(letters string) {
	x.t.Helper()
	x.mu.Lock()
	changed := x.changed
	x.mu.Unlock()
	x.type_(letters)
	select {
	case <-changed:
	case <-time.After(patience):
		x.t.Fatalf("nothing was written after %q", letters)
	}
}

// emulated gives the emulator to somebody, while nothing is drawn.
func (x *terminal) emulated(look func(*vt.Emulator)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	look(x.screens)
}

// vanish closes the terminal under its program, as a window that is closed does.
func (x *terminal) vanish() {
	x.t.Helper()
	_ = x.slave.Close()
	require.NoError(x.t, x.master.Close())
}

// screen is what a person sees now, lines without trailing spaces.
func (x *terminal) screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.draw()
}

func (x *terminal) draw() string {
	lines := strings.Split(x.screens.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \r")
	}
	return strings.Join(lines, "\n")
}

// raw is all that Pawl has written.
func (x *terminal) raw() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.output)
}

// waitFor waits until the screen satisfies ok. It looks again after every piece of
// output, and gives up early when Pawl has ended.
func (x *terminal) waitFor(what string, ok func(screen string) bool) {
	x.t.Helper()
	deadline := time.After(patience)
	for {
		x.mu.Lock()
		screen, changed := x.draw(), x.changed
		x.mu.Unlock()
		if ok(screen) {
			return
		}
		select {
		case <-changed:
		case <-x.quiet:
			if !ok(x.screen()) {
				require.FailNow(x.t, "pawl ended before the screen had "+what)
			}
			return
		case <-deadline:
			require.FailNow(x.t, "the screen never had "+what)
		}
	}
}

// see waits until all these texts are on the screen at once.
func (x *terminal) see(texts ...string) {
	x.t.Helper()
	x.waitFor(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// seeNot waits until a text is no longer on the screen.
func (x *terminal) seeNot(text string) {
	x.t.Helper()
	x.waitFor("no "+text, func(screen string) bool { return !strings.Contains(screen, text) })
}

// seeMatch waits until a pattern is on the screen, and gives what it matched.
func (x *terminal) seeMatch(pattern string) []string {
	x.t.Helper()
	var found []string
	expression := regexp.MustCompile(pattern)
	x.waitFor(pattern, func(screen string) bool {
		found = expression.FindStringSubmatch(screen)
		return found != nil
	})
	return found
}

// resize gives the terminal another size, as a window manager would.
func (x *terminal) resize(width, height int) {
	x.t.Helper()
	x.mu.Lock()
	x.screens.Resize(width, height)
	x.mu.Unlock()
	require.NoError(x.t, pty.Setsize(x.slave, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}))
}

// pawl is the process of Pawl itself, inside its guard.
func (x *terminal) pawl() int {
	x.t.Helper()
	return childOf(x.t, x.cmd.Process.Pid)
}

// childOf is a process's first child: what a guard gets besides are orphans, and
// later. Without such lists, as outside Linux, it is the process itself.
func childOf(t testing.TB, pid int) int {
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

// signal sends a signal to the process that was started, which is Pawl's guard.
func (x *terminal) signal(signal os.Signal) {
	x.t.Helper()
	require.NoError(x.t, x.cmd.Process.Signal(signal))
}

// framed sets a screen apart from the words around it.
func framed(screen string) string {
	return "┌\n│" + strings.ReplaceAll(strings.TrimRight(screen, " \n"), "\n", "\n│") + "\n└"
}
