package bench

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// tube is a pseudo-terminal without an emulator behind it: what Pawl writes is kept with
// the moment at which it came, and looked through as bytes. An emulator would take longer
// to draw than Pawl, and its time would stand in the figures. What is looked for must be
// written in one piece: a word that was not on the screen before is.
type tube struct {
	tb     testing.TB
	cmd    *exec.Cmd
	master *os.File
	begun  time.Time
	exited chan struct{}

	mu      sync.Mutex
	output  []byte
	pieces  []arrival
	changed chan struct{} // closed and replaced with every piece
}

// arrival is the end of a piece of output, and when it was read.
type arrival struct {
	end int
	at  time.Time
}

// openTube starts the installed program on a terminal of 120×40.
func openTube(tb testing.TB, dir string, env []string, args ...string) *tube {
	tb.Helper()
	path, err := harness.Installed()
	require.NoError(tb, err)
	return openProgram(tb, path, dir, env, args...)
}

// openProgram starts any other on one.
func openProgram(tb testing.TB, path, dir string, env []string, args ...string) *tube {
	tb.Helper()
	master, slave, err := pty.Open()
	require.NoError(tb, err)
	require.NoError(tb, pty.Setsize(slave, &pty.Winsize{Cols: 120, Rows: 40}))
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = dir, env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	x := &tube{tb: tb, cmd: cmd, master: master, exited: make(chan struct{}), changed: make(chan struct{}), begun: time.Now()}
	require.NoError(tb, cmd.Start())
	require.NoError(tb, slave.Close())
	read := make(chan struct{})
	go func() {
		defer close(read)
		x.read()
	}()
	go func() {
		_ = cmd.Wait() // how it ended is of no interest
		close(x.exited)
	}()
	tb.Cleanup(func() {
		x.leave()
		_ = master.Close()
		<-read
	})
	return x
}

// leave ends it with what it started: a session at work too, which outlives its terminal.
func (x *tube) leave() {
	select {
	case <-x.exited:
		return
	default:
	}
	pids := family(x.cmd.Process.Pid)                            // the front, the guard of its session's host, the host
	_ = syscall.Kill(pids[min(1, len(pids)-1)], syscall.SIGTERM) // it may have ended
	x.end()
}

// end waits until its process has ended.
func (x *tube) end() {
	select {
	case <-x.exited:
	case <-time.After(modeltest.Patience):
		x.tb.Error("pawl does not end")
		_ = x.cmd.Process.Kill()
		<-x.exited
	}
}

// answersOf is what a terminal with synchronized output says to what it is asked.
func answersOf(output []byte) string {
	var all strings.Builder
	for _, one := range []struct{ question, answer string }{
		{"\x1b[c", "\x1b[?62;22c"},
		{"\x1b[?u", "\x1b[?0u"},
		{"\x1b[?2026$p", "\x1b[?2026;2$y"},
		{"\x1b]11;?", "\x1b]11;rgb:1010/1010/1010\x1b\\"},
		{"\x1b]10;?", "\x1b]10;rgb:e0e0/e0e0/e0e0\x1b\\"},
	} {
		if bytes.Contains(output, []byte(one.question)) {
			all.WriteString(one.answer)
		}
	}
	return all.String()
}

// read takes in what Pawl writes until its terminal is gone.
func (x *tube) read() {
	buffer := make([]byte, 64<<10)
	for {
		n, err := x.master.Read(buffer)
		at := time.Now()
		if answers := answersOf(buffer[:n]); answers != "" {
			x.press(answers)
		}
		x.mu.Lock()
		x.output = append(x.output, buffer[:n]...)
		x.pieces = append(x.pieces, arrival{end: len(x.output), at: at})
		close(x.changed)
		x.changed = make(chan struct{})
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// press types.
func (x *tube) press(keys string) time.Time {
	at := time.Now()
	_, err := x.master.WriteString(keys)
	require.NoError(x.tb, err)
	return at
}

// Written is how much it has written so far.
func (x *tube) written() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.output)
}

// sight is a text that came: where it ends in the output, and when that was read.
type sight struct {
	end int
	at  time.Time
}

// Await waits for a text behind a place in the output.
func (x *tube) await(text string, behind int) sight {
	x.tb.Helper()
	return x.awaitFor(text, behind, modeltest.Patience)
}

// awaitFor waits so long.
func (x *tube) awaitFor(text string, behind int, patience time.Duration) sight {
	x.tb.Helper()
	deadline := time.After(patience)
	for {
		x.mu.Lock()
		changed := x.changed
		found := bytes.Index(x.output[behind:], []byte(text))
		if found >= 0 {
			end := behind + found + len(text)
			i := 0
			for x.pieces[i].end < end {
				i++
			}
			at := x.pieces[i].at
			x.mu.Unlock()
			return sight{end: end, at: at}
		}
		behind = max(behind, len(x.output)-len(text))
		x.mu.Unlock()
		select {
		case <-changed:
		case <-x.exited:
			require.FailNow(x.tb, "pawl ended", "before it wrote %q; the last of what it wrote: %q", text, x.tail())
		case <-deadline:
			require.FailNow(x.tb, "it never came", "%q; the last of what pawl wrote: %q", text, x.tail())
		}
	}
}

func (x *tube) tail() []byte {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.output[max(0, len(x.output)-2000):]
}

// settle waits until it has written nothing for as long, or twice that where
// something on the screen moves.
func (x *tube) settle(quiet time.Duration) {
	enough := time.After(2 * quiet)
	for {
		x.mu.Lock()
		changed := x.changed
		x.mu.Unlock()
		select {
		case <-changed:
		case <-time.After(quiet):
			return
		case <-enough:
			return
		}
	}
}
