package timeline

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// axis lays the time of a session out over some columns, to scale. Time in which
// nothing ran takes one column, or none where there are too many such gaps: a
// session that was slept over is as readable as one of a minute.
type axis struct {
	spans   []span
	gap     int // columns between two spans
	columns int
	Begin   time.Time     // of the session
	Busy    time.Duration // of all spans
}

// span is a stretch of time in which something ran, and its first column.
type span struct {
	From, To time.Time
	column   int
	columns  int
}

// newAxis lays out times in which something ran, in any order. It keeps none of them.
func newAxis(spans []span, columns int) axis {
	a := axis{columns: max(1, columns)}
	if !slices.IsSortedFunc(spans, earlierSpan) {
		slices.SortFunc(spans, earlierSpan)
	}
	a.spans = slices.Clip(merged(spans))
	if len(a.spans) > 0 {
		a.Begin = a.spans[0].From
	}
	a.lay()
	return a
}

func earlierSpan(x, y span) int { return x.From.Compare(y.From) }

// lay gives the spans their columns.
func (a *axis) lay() {
	a.Busy, a.gap = 0, 0
	for _, s := range a.spans {
		a.Busy += min(s.To.Sub(s.From), math.MaxInt64-a.Busy)
	}
	if len(a.spans)*4 <= a.columns {
		a.gap = 1
	}
	a.share(a.columns - a.gap*(len(a.spans)-1))
}

// within is the part of the axis from lo to hi, both counted in the time in which
// something ran, over the same columns.
func (a axis) within(lo, hi time.Duration) axis {
	part := axis{columns: a.columns, Begin: a.Begin}
	var before time.Duration
	for _, s := range a.spans {
		took := s.To.Sub(s.From)
		from, to := max(0, lo-before), min(took, hi-before)
		if from < to || from == to && took == 0 {
			part.spans = append(part.spans, span{From: s.From.Add(from), To: s.From.Add(to)})
		}
		before += took
	}
	part.lay()
	return part
}

// merged joins spans that touch, in the order in which they begin.
func merged(spans []span) []span {
	var kept []span
	for _, s := range spans {
		if n := len(kept); n > 0 && !s.From.After(kept[n-1].To) {
			if s.To.After(kept[n-1].To) {
				kept[n-1].To = s.To
			}
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// share gives each span its part of some columns. The parts are cut from one scale, so
// that rounding errors do not add up.
func (a *axis) share(columns int) {
	var before time.Duration
	for i := range a.spans {
		s := &a.spans[i]
		from := a.scaled(before, columns)
		before += s.To.Sub(s.From)
		s.column, s.columns = from+i*a.gap, a.scaled(before, columns)-from
	}
}

func (a *axis) scaled(d time.Duration, columns int) int {
	if a.Busy <= 0 {
		return 0
	}
	return int(float64(columns) * float64(d) / float64(a.Busy))
}

// Column is where a moment stands. One in a gap, or outside, stands at the nearest
// end of a span.
func (a axis) Column(at time.Time) int {
	column, _ := a.place(at)
	return column
}

// place is column, and where in it the moment stands: from 0, its left edge, to 1.
func (a axis) place(at time.Time) (column int, into float64) {
	i := a.spanAt(at)
	if i < 0 {
		return 0, 0
	}
	s := a.spans[i]
	x := 0.0
	if whole := s.To.Sub(s.From); whole > 0 {
		x = float64(s.columns) * float64(min(at.Sub(s.From), whole)) / float64(whole)
	}
	last := min(max(s.column, s.column+s.columns-1), a.columns-1)
	column = min(s.column+int(x), last)
	return column, min(1, x-float64(column-s.column))
}

// spanAt is the last span that begins at a moment or before it, -1 for none.
func (a axis) spanAt(at time.Time) int {
	i, _ := slices.BinarySearchFunc(a.spans, at, func(s span, at time.Time) int { return cmp.Or(s.From.Compare(at), -1) })
	return i - 1
}

// Offset is how long something had run before a moment.
func (a axis) Offset(at time.Time) time.Duration {
	var before time.Duration
	for _, s := range a.spans {
		if at.Before(s.To) {
			return before + max(0, at.Sub(s.From))
		}
		before += s.To.Sub(s.From)
	}
	return before
}

// Holds reports whether any of the time between two moments is on the axis.
func (a axis) Holds(from, to time.Time) bool {
	n := len(a.spans)
	return n > 0 && !to.Before(a.spans[0].From) && !from.After(a.spans[n-1].To)
}
