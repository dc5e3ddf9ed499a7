package html

import (
	"time"

	"pawl/lifecycle"
	"pawl/lifecycle/lanes"
)

// axis lays the time of a session out between two edges, in parts of a hundred of
// the picture's width, to scale. A long time in which nothing ran is cut to a gap:
// a session that was slept over is as readable as one of a minute.
type axis struct {
	scale  lanes.Scale
	places []place // of the stretches of the scale
	begin  time.Time
}

// place is where a stretch stands.
type place struct{ x, width float64 }

// The edges of the axis: what stands at its ends is drawn whole. A gap is wide
// gapWidth, all of them together at most allGaps.
const (
	axisFrom = 1.0
	axisTo   = 99.0
	gapWidth = 2.0
	allGaps  = 20.0
	// A pause shorter than this is drawn as it was, and so is one shorter than a
	// fifth of all that ran: both are part of the story.
	shortPause = 30 * time.Second
)

// aboutTicks is about how many ticks the whole axis has.
const aboutTicks = 8

// newAxis lays out the time that some runs take, those that live until at.
func newAxis(runs []lifecycle.Run, at time.Time) axis {
	if len(runs) == 0 {
		return axis{}
	}
	var ran []lanes.Stretch
	for _, run := range runs {
		ran = append(ran, lanes.Stretch{From: run.SpawnedAt, To: run.SpawnedAt.Add(run.Elapsed(at))})
	}
	scale := lanes.NewScale(ran, 0)
	a := axis{scale: lanes.NewScale(scale, max(shortPause, scale.Busy()/5)), begin: scale[0].From}
	gaps := float64(len(a.scale) - 1)
	gap := gapWidth
	if gaps*gap > allGaps {
		gap = allGaps / gaps
	}
	a.share(axisTo-axisFrom-gaps*gap, gap)
	return a
}

// share gives each stretch its part of some room, and a gap behind it.
func (a *axis) share(room, gap float64) {
	busy, x := 0.0, axisFrom
	for _, s := range a.scale {
		busy += float64(s.To.Sub(s.From))
	}
	for _, s := range a.scale {
		p := place{x: x}
		if busy > 0 {
			p.width = room * float64(s.To.Sub(s.From)) / busy
		}
		a.places = append(a.places, p)
		x += p.width + gap
	}
}

// x is where a moment stands. One in a gap stands at the end before it, one before
// the beginning at the beginning.
func (a axis) x(at time.Time) float64 {
	i := a.scale.Find(at)
	if i < 0 {
		return axisFrom
	}
	return a.places[i].x + a.scale[i].Part(at, a.places[i].width)
}
