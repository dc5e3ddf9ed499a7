package base

import (
	"io"
	"os"

	"github.com/charmbracelet/x/term"
)

// WritesTerminal says whether what is written there is seen on a terminal.
func WritesTerminal(w io.Writer) bool {
	file, ok := w.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(file.Fd())
}

// ReadsTerminal says whether a person types what is read there.
func ReadsTerminal(r io.Reader) bool {
	file, ok := r.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}
