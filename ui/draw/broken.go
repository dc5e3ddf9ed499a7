package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// broken breaks a drawn line at the width, for code: nothing is moved and no space dropped. Each
// piece repeats the looks in force, so that any of them can be the first on the screen.
func (c Canvas) broken(line Styled) []Styled {
	if Cells(line) <= c.Width {
		return []Styled{line}
	}
	var pieces []Styled
	var b strings.Builder
	var state byte
	on, col := "", 0
	for s := string(line); s != ""; {
		seq, width, n, next := ansi.DecodeSequence(s, state, nil)
		s, state = s[n:], next
		switch {
		case width > 0 && col+width > c.Width && col > 0:
			if on != "" {
				b.WriteString("\x1b[m")
			}
			pieces = append(pieces, Styled(b.String()))
			b.Reset()
			b.WriteString(on)
			col = 0
		case seq == "\x1b[m" || seq == "\x1b[0m":
			on = ""
		case strings.HasPrefix(seq, "\x1b["):
			on += seq
		}
		b.WriteString(seq)
		col += width
	}
	return append(pieces, Styled(b.String()))
}
