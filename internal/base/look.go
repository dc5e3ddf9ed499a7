package base

import "pawl/ui/terminal"

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
	if WritesTerminal(w.Out) {
		l.Colour = of.Colours != "none"
		l.Width = min(Columns(w.Out), widest)
	}
	return l
}
