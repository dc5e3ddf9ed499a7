package stories

import (
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/termios"
	"github.com/stretchr/testify/require"
)

// wait waits for the end and gives the exit code. The terminal must then be as it
// was before.
func (x *terminal) wait() int {
	x.t.Helper()
	x.hasEnded()
	x.checkCooked()
	x.drain()
	require.NoError(x.t, restored(x.raw()))
	return x.cmd.ProcessState.ExitCode()
}

// hasEnded waits for the end, whatever the code. A Pawl that does not end fails its
// test by name, and is killed so that the others go on.
func (x *terminal) hasEnded() {
	x.t.Helper()
	select {
	case <-x.exited:
	case <-time.After(patience):
		_ = syscall.Kill(-x.cmd.Process.Pid, syscall.SIGKILL)
		require.FailNow(x.t, "pawl does not end")
	}
}

// ended is closed when its process has ended.
func (x *terminal) ended() <-chan struct{} { return x.exited }

// waitEnd does the same for a command without a terminal; its code is read from its
// state.
func waitEnd(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	cmd.WaitDelay = patience // for what still holds its output
	hangs := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait() // a code is an error, too
	require.True(t, hangs.Stop(), "%v does not end", cmd.Args)
}

// checkCooked holds the terminal's settings against those of a shell.
func (x *terminal) checkCooked() {
	x.t.Helper()
	settings, err := termios.GetTermios(int(x.slave.Fd()))
	require.NoError(x.t, err)
	require.Equal(x.t, x.before, *settings, "the terminal was left with other settings than it had")
}

// onModes are those that a program with a screen switches on and must switch off.
var onModes = map[string]string{
	"1049": "the alternate screen", "2004": "bracketed paste", "1000": "the mouse", "1002": "the mouse", "1003": "the mouse",
	"1004": "focus reports", "1006": "the mouse", "2026": "synchronized output", "2031": "reports of dark and light",
}

// restored reads in all output whether the terminal's modes are back where they were.
func restored(output string) error {
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
