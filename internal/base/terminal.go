package base

import (
	"io"
	"os"

	"github.com/charmbracelet/x/term"
)

// WritesTerminal reports whether w is a terminal.
func WritesTerminal(w io.Writer) bool {
	file, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(file.Fd())
}

// ReadsTerminal reports whether r is a terminal.
func ReadsTerminal(r io.Reader) bool {
	file, ok := r.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}
