package base

import (
	"github.com/charmbracelet/x/term"

	"pawl/ui/terminal"
)

// Look is how a report or a table is drawn: its characters, colours and width. Without a
// terminal each finding is one line, for grep.
type Look struct {
	UTF8, Colour bool
	Colours      string
	Width        int
	Screen       terminal.Look
}

// widest is the greatest width of a line, in cells.
const widest = 110

// LookOf returns the look for standard output.
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
