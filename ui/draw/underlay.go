package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Underlay adds a property to a range of cells of a drawn line, whatever looks it has.
func Underlay(line Styled, from, to int, on, off Sequence) Styled {
	var b strings.Builder
	var state byte
	seen := 0
	lit := false
	for s := string(line); s != ""; {
		seq, width, n, next := ansi.DecodeSequence(s, state, nil)
		s, state = s[n:], next
		visible := width > 0 || !strings.HasPrefix(seq, "\x1b")
		if visible && !lit && seen >= from && seen < to {
			b.WriteString(string(on))
			lit = true
		}
		if visible && lit && seen >= to {
			b.WriteString(string(off))
			lit = false
		}
		b.WriteString(seq)
		if visible {
			seen += n
		} else if lit { // it may have reset all properties
			b.WriteString(string(on))
		}
	}
	if lit {
		b.WriteString(string(off))
	}
	return Styled(b.String())
}
