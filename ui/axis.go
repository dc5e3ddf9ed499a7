package ui

import (
	"cmp"
	"slices"
	"time"

	"pawl/lifecycle"
)

// axis lays the time of a session out over some columns, to scale. Time in which
// nothing ran takes one column, or none where there are too many such gaps: a
// session that was slept over is as readable as one of a minute.
type axis struct {
	spans   []span
	gap     int // columns between two spans
	columns int
	busy    time.Duration // of all spans
}

// span is a stretch of time in which something ran, and its first column.
type span struct {
	from, to time.Time
	column   int
	columns  int
}

// newAxis lays out the time that some runs take, those that live until now.
func newAxis(runs []lifecycle.Run, now time.Time, columns int) axis {
	a := axis{columns: max(1, columns)}
	for _, run := range runs {
		from := run.SpawnedAt
		a.spans = append(a.spans, span{from: from, to: from.Add(run.Elapsed(now))})
	}
	slices.SortFunc(a.spans, func(x, y span) int { return x.from.Compare(y.from) })
	a.spans = slices.Clip(merged(a.spans))
	for _, s := range a.spans {
		a.busy += s.to.Sub(s.from)
	}
	if len(a.spans)*4 <= a.columns {
		a.gap = 1
	}
	a.share(a.columns - a.gap*(len(a.spans)-1))
	return a
}

// merged joins spans that touch, in the order in which they begin.
func merged(spans []span) []span {
	var kept []span
	for _, s := range spans {
		if n := len(kept); n > 0 && !s.from.After(kept[n-1].to) {
			if s.to.After(kept[n-1].to) {
				kept[n-1].to = s.to
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
		before += s.to.Sub(s.from)
		s.column, s.columns = from+i*a.gap, a.scaled(before, columns)-from
	}
}

func (a *axis) scaled(d time.Duration, columns int) int {
	if a.busy <= 0 {
		return 0
	}
	return int(float64(columns) * float64(d) / float64(a.busy))
}

// column is where a moment stands. One in a gap, or outside, stands at the nearest
// end of a span.
func (a axis) column(at time.Time) int {
	i, _ := slices.BinarySearchFunc(a.spans, at, func(s span, at time.Time) int { return cmp.Or(s.from.Compare(at), -1) })
	if i == 0 {
		return 0
	}
	s := a.spans[i-1]
	column := s.column
	if whole := s.to.Sub(s.from); whole > 0 {
		into := min(at.Sub(s.from), whole)
		column += int(float64(s.columns) * float64(into) / float64(whole))
	}
	return min(column, max(s.column, s.column+s.columns-1), a.columns-1)
}
