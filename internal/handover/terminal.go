package handover

import (
	"io"
	"os"

	"pawl/internal/tty"
)

// Streams are the standard input and output that the front has lent, which need not be a terminal.
func (c *Conn) Streams() (in, out *os.File) {
	if len(c.files) < 2 {
		return nil, nil
	}
	return c.files[0], c.files[1]
}

// Terminal is what a screen reads and writes: the terminal, as long as the front is there. When it
// is gone the terminal belongs to the shell: the screen may still be shutting down but must neither
// draw nor change settings.
func (c *Conn) Terminal() (io.Reader, io.Writer) {
	in, out := c.Streams()
	return lent{in, c}, lent{out, c}
}

// KeepOutput makes sure that Ctrl+C does not discard what the screen writes last, when it has put
// the terminal's settings back. Call it before the screen begins, so that those are among them, and
// at its end.
func (c *Conn) KeepOutput() {
	_, out := c.Streams()
	if out == nil || !c.writing.TryLock() { // a terminal that takes nothing has nothing to lose
		return
	}
	defer c.writing.Unlock()
	if !c.Lost() {
		tty.Find(int(out.Fd())).KeepOutput()
	}
}

// lent is a terminal that is used only while the front is there.
type lent struct {
	*os.File
	conn *Conn
}

// Write writes to the terminal, or drops the text if the front is gone.
func (l lent) Write(text []byte) (int, error) {
	l.conn.writing.Lock()
	defer l.conn.writing.Unlock()
	if l.conn.Lost() {
		return len(text), nil
	}
	return l.File.Write(text)
}

// Fd returns the descriptor, or an invalid one if the front is gone and the terminal restored.
// Callers ask for it right before each use.
func (l lent) Fd() uintptr {
	if l.conn.Lost() {
		return ^uintptr(0)
	}
	return l.File.Fd()
}
