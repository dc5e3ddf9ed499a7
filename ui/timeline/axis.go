package timeline

import (
	"time"

	"pawl/lifecycle/lanes"
)

// axis lays the time of a session out over some columns, to scale. Time in which
// nothing ran takes one column, or none where there are too many such gaps: a
// session that was slept over is as readable as one of a minute.
type axis struct {
	scale   lanes.Scale
	places  []place // of the stretches of the scale
	gap     int     // columns between two of them
	columns int
	Begin   time.Time     // of the session
	Busy    time.Duration // of all stretches
}

// place is where a stretch stands: its first column, and how many it has.
type place struct{ column, columns int }

// newAxis lays out times in which something ran, in any order. It keeps none of them.
func newAxis(ran []lanes.Stretch, columns int) axis {
	a := axis{scale: lanes.NewScale(ran, 0), columns: max(1, columns)}
	if len(a.scale) > 0 {
		a.Begin = a.scale[0].From
	}
	a.lay()
	return a
}

// lay gives the stretches their columns. Their parts are cut from one scale, so that
// rounding errors do not add up.
func (a *axis) lay() {
	a.Busy, a.places = a.scale.Busy(), make([]place, len(a.scale))
	if len(a.scale)*4 <= a.columns {
		a.gap = 1
	}
	columns := a.columns - a.gap*(len(a.scale)-1)
	var before time.Duration
	for i, s := range a.scale {
		from := a.scaled(before, columns)
		before += s.To.Sub(s.From)
		a.places[i] = place{from + i*a.gap, a.scaled(before, columns) - from}
	}
}

func (a *axis) scaled(d time.Duration, columns int) int {
	if a.Busy <= 0 {
		return 0
	}
	return int(float64(columns) * float64(d) / float64(a.Busy))
}

// within is the part of the axis from lo to hi, both counted in the time in which
// something ran, over the same columns.
func (a axis) within(lo, hi time.Duration) axis {
	part := axis{columns: a.columns, Begin: a.Begin}
	var before time.Duration
	for _, s := range a.scale {
		took := s.To.Sub(s.From)
		from, to := max(0, lo-before), min(took, hi-before)
		if from < to || from == to && took == 0 {
			part.scale = append(part.scale, lanes.Stretch{From: s.From.Add(from), To: s.From.Add(to)})
		}
		before += took
	}
	part.lay()
	return part
}

// cuts are the columns that stand for time in which nothing ran.
func (a axis) cuts() []int {
	if a.gap == 0 || len(a.places) < 2 {
		return nil
	}
	var columns []int
	for _, p := range a.places[1:] {
		columns = append(columns, p.column-1)
	}
	return columns
}

// Column is where a moment stands. One in a gap, or outside, stands at the nearest
// end of a stretch.
func (a axis) Column(at time.Time) int {
	column, _ := a.place(at)
	return column
}

// place is column, and where in it the moment stands: from 0, its left edge, to 1.
func (a axis) place(at time.Time) (column int, into float64) {
	i := a.scale.Find(at)
	if i < 0 {
		return 0, 0
	}
	p := a.places[i]
	x := a.scale[i].Part(at, float64(p.columns))
	last := min(max(p.column, p.column+p.columns-1), a.columns-1)
	column = min(p.column+int(x), last)
	return column, min(1, x-float64(column-p.column))
}

// Offset is how long something had run before a moment.
func (a axis) Offset(at time.Time) time.Duration {
	var before time.Duration
	for _, s := range a.scale {
		if at.Before(s.To) {
			return before + max(0, at.Sub(s.From))
		}
		before += s.To.Sub(s.From)
	}
	return before
}

// Holds reports whether any of the time between two moments is on the axis.
func (a axis) Holds(from, to time.Time) bool {
	n := len(a.scale)
	return n > 0 && !to.Before(a.scale[0].From) && !from.After(a.scale[n-1].To)
}
