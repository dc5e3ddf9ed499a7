package terminal

import (
	"io"

	"github.com/charmbracelet/colorprofile"
)

// Look is what the screen makes of a terminal and its variables.
type Look struct {
	Colours string // none, 16, 256 or all
	UTF8    bool
	Bar     bool   // it has a progress bar of its own
	Call    string // the sequence of its notifications; empty: it has the bell alone
}

// LookOf is how the screen would look on out.
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
	default: // no terminal, or one without
	}
	return look
}
