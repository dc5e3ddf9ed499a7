package dashboard

import (
	"pawl/ui/draw"
	"pawl/ui/timeline"
)

// besideFrom is the least width for the selected run beside the others: that of a screen of
// 160 columns without its margin.
const besideFrom = 159

// Beside reports whether so many columns and lines have room for the selected run beside the others.
func Beside(width, height int) bool {
	l := layoutOf(width, height, 1)
	return l.beside && l.shown()
}

// shown reports whether the selected run has room.
func (l layout) shown() bool { return l.detail >= 2 }

// layout is how a screen is divided: the head above all, then the lanes over the table and
// below or beside them the selected run.
type layout struct {
	beside bool
	left   int // the columns of lanes and table
	lanes  timeline.Rows
	gap    int // between lanes and table
	table  int // its lines, the titles among them
	detail int // 0: there is no room for it
}

// layoutOf divides so many columns and lines for so many rows. What is low or narrow has the
// table alone.
func layoutOf(width, height, rows int) layout {
	height-- // the head
	rows = max(1, rows)
	l := layout{left: width, table: max(1, height)}
	if width < 60 || height < 9 {
		return l
	}
	if width >= besideFrom {
		l.beside, l.left, l.detail = true, min(width*3/5, draw.ContentWidth), height
		l.share(height, rows, height*2/5)
		return l
	}
	if height < 17 {
		l.share(height, rows, height/3)
		return l
	}
	l.share(height*3/5, rows, height/4)
	l.table = min(l.table, rows+1)
	l.detail = height - l.lanes.Height() - l.gap - l.table - 1 // a rule between
	return l
}

// share divides the lines above or beside the selected run between lanes, at most so many of
// them, and table.
func (l *layout) share(height, rows, most int) {
	l.lanes = timeline.Rows{Words: 1}
	if height >= 20 {
		l.lanes.Words, l.lanes.Signs, l.gap = 2, 5, 1
	}
	if height >= 12 {
		l.gap = 1
	}
	l.lanes.Lanes = max(1, min(rows, most))
	l.table = max(3, height-l.lanes.Height()-l.gap)
}
