package terminal

import (
	"io"

	"github.com/charmbracelet/colorprofile"
)

// Look is what the screen uses of a terminal.
type Look struct {
	Colours string // none, 16, 256 or all
	UTF8    bool
	Bar     bool   // it has a progress bar
	Call    string // the sequence of its notifications; empty if it has only the bell
}

// LookOf returns how the screen would look on out.
func LookOf(out io.Writer, env []string) Look {
	term := ReadFeatures(env)
	own := ReadEmulator(env)
	look := Look{Colours: "none", UTF8: !term.ASCII, Bar: own.Bar, Call: own.Dialect.String()}
	if !term.Colour {
		return look
	}
	switch colorprofile.Detect(out, env) {
	case colorprofile.TrueColor:
		look.Colours = "all"
	case colorprofile.ANSI256:
		look.Colours = "256"
	case colorprofile.ANSI:
		look.Colours = "16"
	default: // not a terminal, or one without colours
	}
	return look
}
