package fleet

import "pawl/ui/pane"

// layout is how a screen is divided: the head, then the list and the selected session beside it,
// below it or, on a small screen, over it.
type layout struct {
	gap    int // blank lines under the head
	list   int // rows of the list
	left   int // its columns
	pane   int // rows of the selected session; 0: it is not shown
	beside bool
	over   bool // there is only room for one of the two
}

// shown reports whether the selected session is shown.
func (l layout) shown() bool { return l.pane > 0 }

const (
	spaciousFrom = 16 // rows from which on a list has blank lines between its sections
	airyFrom     = 20 // rows from which on a blank line under the head is no loss
	belowFrom    = 16 // rows from which on both stand under one another
	belowWide    = 60 // and columns
	leastList    = 5  // rows that a list keeps beside a session that needs more
)

// layout divides the screen as it is now. A question that waits gets as much room as it needs, if the list
// can spare it.
func (m *model) layout() layout {
	l := layout{left: m.width}
	if m.height >= airyFrom {
		l.gap = 1
	}
	body := max(0, m.height-1-l.gap-len(m.troubleShown())-m.picture.foot)
	l.list = body
	if m.board.at() < 0 {
		return l // no session is selected
	}
	switch {
	case m.width >= pane.Least:
		if m.pane {
			l.beside, l.pane, l.left = true, body, m.width*3/5
		}
	case m.width >= belowWide && m.height >= belowFrom:
		if m.pane {
			half := max(body*2/5, min(body/2, 10))
			l.pane = min(max(half, m.picture.wanted), max(half, body-leastList))
			l.list = body - l.pane - 1 // a rule between them
		}
	default:
		l.over = true
		if m.covered {
			l.pane, l.list = body, 0
		}
	}
	return l
}
