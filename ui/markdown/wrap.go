package markdown

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
)

// place is a position in runs: before a byte of one of them.
type place struct{ run, at int }

// cells is the width of a text.
func cells(t sanitize.Text) int {
	for i := range len(t) {
		if t[i] >= 0x80 {
			return ansi.StringWidth(string(t))
		}
	}
	return len(t)
}

// cluster returns the size in bytes and the width in cells of a text's first grapheme cluster.
func cluster(t sanitize.Text) (bytes, width int) {
	if t[0] < 0x80 && (len(t) == 1 || t[1] < 0x80) {
		return 1, 1
	}
	first, width := ansi.FirstGraphemeCluster(string(t), ansi.GraphemeWidth)
	return len(first), width
}

// ProseWidth is the most cells of a line of prose: the eye loses its way back over a longer one.
// Code and tables may be wider.
const ProseWidth = 100

// wrapped writes runs as lines of prose; no runs, no lines.
func (w *writer) wrapped(runs []run) {
	if len(runs) == 0 {
		return
	}
	room := min(w.room(), max(roomy, ProseWidth-w.took))
	for at := (place{}); ; {
		end, next := broken(runs, at, room)
		w.begin()
		w.runs(runs, at, end)
		w.end()
		if next.run >= len(runs) {
			return
		}
		at = next
	}
}

// runs writes what is between two places.
func (w *writer) runs(runs []run, from, to place) {
	for from.run < to.run {
		w.put(Span{runs[from.run].Text[from.at:], runs[from.run].Look})
		from = place{from.run + 1, 0}
	}
	if to.run < len(runs) && to.at > from.at {
		w.put(Span{runs[to.run].Text[from.at:to.at], runs[to.run].Look})
	}
}

// closers are wide characters that may not begin a line.
const closers = "、。，．！？：；）」』】》〉〕”’"

// broken finds where a line that begins at from ends, and where the next one begins. It breaks
// at spaces, after a hyphen in a word, and beside characters two cells wide; a word longer than
// a line is broken at the width.
func broken(runs []run, from place, room int) (end, next place) {
	var gapAt, gapEnd place // the last possible break
	col, gap, inSpace, letter := 0, false, false, false
	for at := from; at.run < len(runs); at = (place{at.run + 1, 0}) {
		r := &runs[at.run]
		if r.breaks {
			return at, place{at.run + 1, 0}
		}
		breakable := r.Look.Ink != InkQuoted && r.Look.Ink != InkAddress
		for at.at < len(r.Text) {
			c := r.Text[at.at]
			if c == ' ' {
				if !inSpace {
					gapAt = at
				}
				at.at++
				gapEnd, gap, inSpace, letter = at, col > 0, true, false
				col++
				continue
			}
			n, width := 1, 1
			if c >= 0x80 || at.at+1 < len(r.Text) && r.Text[at.at+1] >= 0x80 {
				n, width = cluster(r.Text[at.at:])
				if width > 1 && col > 0 && !inSpace && !strings.Contains(closers, string(r.Text[at.at:at.at+n])) {
					gapAt, gapEnd, gap = at, at, true
				}
			}
			if col > 0 && col+width > room {
				if gap {
					return gapAt, gapEnd
				}
				return at, at
			}
			inSpace = false
			at.at += n
			col += width
			if c == '-' && letter && breakable && col > 1 {
				gapAt, gapEnd, gap = at, at, true
			}
			letter = c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
		}
	}
	return place{run: len(runs)}, place{run: len(runs)}
}
