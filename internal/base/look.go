package base

import (
	"github.com/charmbracelet/x/term"

	"pawl/ui/terminal"
)

// Look is how a report or a table is drawn: its signs, its colours, and how wide. Without a
// terminal a finding is one line, for grep.
type Look struct {
	UTF8, Colour bool
	Colours      string
	Width        int
	Screen       terminal.Look
}

// widest is how wide a line grows, in cells.
const widest = 110

// LookOf is the look of what a command writes to standard output.
func LookOf(w World) Look {
	of := terminal.LookOf(w.Out, w.Environ)
	l := Look{UTF8: of.UTF8, Colours: of.Colours, Screen: of}
	file, isFile := w.Out.(interface{ Fd() uintptr })
	if isFile && term.IsTerminal(file.Fd()) {
		l.Colour = of.Colours != "none"
		if width, _, err := term.GetSize(file.Fd()); err == nil && width > 0 {
			l.Width = min(width, widest)
		}
	}
	return l
}
