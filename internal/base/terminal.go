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

// Columns returns the width of the terminal that w is, in cells; 0 if it is none, or does not say.
func Columns(w io.Writer) int {
	file, ok := w.(interface{ Fd() uintptr })
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(file.Fd())
	if err != nil {
		return 0
	}
	return width
}

// ReadsTerminal reports whether r is a terminal.
func ReadsTerminal(r io.Reader) bool {
	file, ok := r.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}
