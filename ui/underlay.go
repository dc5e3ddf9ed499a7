package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// underlay draws a stretch of a line that is drawn already with one more property,
// whatever looks it has.
func underlay(line styled, from, to int, on, off sequence) styled {
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
		} else if lit { // it may have ended all properties
			b.WriteString(string(on))
		}
	}
	if lit {
		b.WriteString(string(off))
	}
	return styled(b.String())
}
