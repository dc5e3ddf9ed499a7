package terminal

import (
	"bytes"
	"io"
	"sync/atomic"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// handover is the terminal of a screen that another one may follow. Once follows is set, leaving
// does not leave the alternate screen: otherwise the shell would show while one session closes
// and the other opens.
type handover struct {
	term.File
	follows *atomic.Bool
}

// NewHandover wraps the terminal that a screen writes to.
func NewHandover(file term.File, follows *atomic.Bool) io.Writer { return handover{file, follows} }

// Write writes everything but that sequence.
func (h handover) Write(text []byte) (int, error) {
	if !h.follows.Load() {
		return h.File.Write(text)
	}
	if _, err := h.File.Write(bytes.ReplaceAll(text, []byte(ansi.ResetModeAltScreenSaveCursor), nil)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Release leaves the alternate screen, if the screen that was to follow does not come.
func Release(out io.Writer) {
	_, _ = io.WriteString(out, ansi.ResetModeAltScreenSaveCursor) // the terminal may be gone
}
