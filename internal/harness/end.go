//go:build unix

package harness

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/termios"
	"github.com/stretchr/testify/require"

	"pawl/internal/modeltest"
)

// Wait waits for the end and gives the exit code. The terminal must then be as it
// was before.
func (x *Terminal) Wait() int {
	x.T.Helper()
	x.AwaitEnd()
	x.CheckCooked()
	x.Drain()
	require.NoError(x.T, Restored(x.Raw()))
	return x.Cmd.ProcessState.ExitCode()
}

// AwaitEnd waits for the end, whatever the code. A Pawl that does not end fails its
// test by name, and is killed so that the others go on.
func (x *Terminal) AwaitEnd() {
	x.T.Helper()
	select {
	case <-x.exited:
	case <-time.After(modeltest.Patience):
		_ = syscall.Kill(-x.Cmd.Process.Pid, syscall.SIGKILL)
		require.FailNow(x.T, "pawl does not end")
	}
}

// Done is closed when its process has ended.
func (x *Terminal) Done() <-chan struct{} { return x.exited }

// WaitEnd does the same for a command without a terminal; its code is read from its
// state.
func WaitEnd(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	cmd.WaitDelay = modeltest.Patience // for what still holds its output
	hangs := time.AfterFunc(modeltest.Patience, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // a code is an error, too
	require.True(t, hangs.Stop(), "%v does not end", cmd.Args)
}

// CheckCooked holds the terminal's settings against those of a shell.
func (x *Terminal) CheckCooked() {
	x.T.Helper()
	require.NoError(x.T, x.WrongSettings())
}

// Wrong says what is not as it was in the terminal, its settings or its modes; nil if all is.
func (x *Terminal) Wrong() error { return errors.Join(x.WrongSettings(), Restored(x.Raw())) }

// WrongSettings says which settings the terminal has that it had not; nil if they are as they were.
func (x *Terminal) WrongSettings() error {
	settings, err := termios.GetTermios(int(x.slave.Fd()))
	if err == nil && *settings != x.before {
		err = fmt.Errorf("the terminal has other settings than it had: %+v, not %+v", *settings, x.before)
	}
	return err
}

// onModes are those that a program with a screen switches on and must switch off.
var onModes = map[string]string{
	"1049": "the alternate screen", "2004": "bracketed paste", "1000": "the mouse", "1002": "the mouse", "1003": "the mouse",
	"1004": "focus reports", "1006": "the mouse", "2026": "synchronized output", "2031": "reports of dark and light",
}

// Restored reads in all output whether the terminal's modes are back where they were.
func Restored(output string) error {
	var problems []error
	for mode, name := range onModes {
		if strings.LastIndex(output, "\x1b[?"+mode+"h") > strings.LastIndex(output, "\x1b[?"+mode+"l") {
			problems = append(problems, errors.New(name+" was left on"))
		}
	}
	if strings.LastIndex(output, "\x1b[?25l") > strings.LastIndex(output, "\x1b[?25h") {
		problems = append(problems, errors.New("the cursor was left hidden"))
	}
	if last(output, `\x1b\[>\d+u`) > last(output, `\x1b\[<\d*u`) || last(output, `\x1b\[>4;\d+m`) > last(output, `\x1b\[>4m`) {
		problems = append(problems, errors.New("the keyboard protocol was left on"))
	}
	if last(output, `\x1b\]9;4;[1-4]`) > last(output, `\x1b\]9;4;0`) {
		problems = append(problems, errors.New("the progress bar was left"))
	}
	return errors.Join(problems...)
}

// last is where a pattern begins for the last time, -1 if it never does.
func last(text, pattern string) int {
	at := -1
	for _, found := range regexp.MustCompile(pattern).FindAllStringIndex(text, -1) {
		at = found[0]
	}
	return at
}

// Crash ends Pawl as a crash does: nothing of it gets to say a word.
func (x *Terminal) Crash() {
	x.T.Helper()
	guard := x.Guard()
	require.NoError(x.T, syscall.Kill(-guard, syscall.SIGKILL)) // the host is in its group
	_ = syscall.Kill(-x.Cmd.Process.Pid, syscall.SIGKILL)       // it may have ended by itself
	x.AwaitEnd()
	x.Drain() // the guard is gone first; until Pawl is, the session is open
}

// end ends what is left of it.
func (x *Terminal) end() {
	_ = syscall.Kill(-x.Cmd.Process.Pid, syscall.SIGKILL) // it may have ended
	x.AwaitEnd()
	x.Drain()
	_ = x.screens.InputPipe().(io.Closer).Close()
	x.copying.Wait()
	_ = x.master.Close()
	RequireNoRaces(x.T, x.Raw(), x.Cmd.Env)
	if x.T.Failed() {
		x.T.Logf("the last screen:\n%s", framed(x.Screen()))
	}
}

// Drain waits for the last output. The slave is closed here, and the output ends
// when nobody else holds it either.
func (x *Terminal) Drain() {
	_ = x.slave.Close() // a second time it is closed already
	select {
	case <-x.quiet:
	case <-time.After(modeltest.Patience):
		x.T.Error("something still holds the terminal after the end of pawl")
		_ = x.master.Close()
	}
}

// Vanish closes the terminal under its program, as a window that is closed does.
func (x *Terminal) Vanish() {
	x.T.Helper()
	_ = x.slave.Close()
	require.NoError(x.T, x.master.Close())
}
