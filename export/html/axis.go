package html

import (
	"cmp"
	"math"
	"slices"
	"time"

	"pawl/lifecycle"
)

// axis lays the time of a session out between two edges, in parts of a hundred of
// the picture's width, to scale. A long time in which nothing ran is cut to a gap:
// a session that was slept over is as readable as one of a minute.
type axis struct {
	stretches []stretch
	begin     time.Time
}

// stretch is a time that is drawn to scale.
type stretch struct {
	from, to time.Time
	x, width float64
}

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

// newAxis lays out the time that some runs take, those that live until at.
func newAxis(runs []lifecycle.Run, at time.Time) axis {
	var a axis
	for _, run := range runs {
		a.stretches = append(a.stretches, stretch{from: run.SpawnedAt, to: run.SpawnedAt.Add(run.Elapsed(at))})
	}
	if len(runs) == 0 {
		return a
	}
	slices.SortStableFunc(a.stretches, func(x, y stretch) int { return x.from.Compare(y.from) })
	a.begin = a.stretches[0].from
	a.stretches = joinedAcross(a.stretches, 0)
	a.stretches = joinedAcross(a.stretches, max(shortPause, a.busy()/5))
	gaps := float64(len(a.stretches) - 1)
	gap := gapWidth
	if gaps*gap > allGaps {
		gap = allGaps / gaps
	}
	a.share(axisTo-axisFrom-gaps*gap, gap)
	return a
}

// joinedAcross joins stretches with at most so much time between them.
func joinedAcross(all []stretch, pause time.Duration) []stretch {
	kept := all[:1]
	for _, s := range all[1:] {
		last := &kept[len(kept)-1]
		if s.from.Sub(last.to) > pause {
			kept = append(kept, s)
			continue
		}
		if s.to.After(last.to) {
			last.to = s.to
		}
	}
	return kept
}

// busy is how much time is drawn to scale: at most what a Duration holds, however
// the clocks went.
func (a axis) busy() time.Duration {
	var sum time.Duration
	for _, s := range a.stretches {
		sum += min(s.to.Sub(s.from), math.MaxInt64-sum)
	}
	return sum
}

// share gives each stretch its part of some room, and a gap behind it.
func (a axis) share(room, gap float64) {
	busy, x := 0.0, axisFrom
	for _, s := range a.stretches {
		busy += float64(s.to.Sub(s.from))
	}
	for i := range a.stretches {
		s := &a.stretches[i]
		s.x = x
		if busy > 0 {
			s.width = room * float64(s.to.Sub(s.from)) / busy
		}
		x += s.width + gap
	}
}

// x is where a moment stands. One in a gap stands at the end before it, one before
// the beginning at the beginning.
func (a axis) x(at time.Time) float64 {
	i, _ := slices.BinarySearchFunc(a.stretches, at, func(s stretch, at time.Time) int { return cmp.Or(s.from.Compare(at), -1) })
	if i == 0 {
		return axisFrom
	}
	s := a.stretches[i-1]
	whole := s.to.Sub(s.from)
	if whole <= 0 {
		return s.x
	}
	return s.x + s.width*float64(min(at.Sub(s.from), whole))/float64(whole)
}

// tick is a line across the lanes, and how long after the beginning it stands.
type tick struct {
	x     float64
	after time.Duration
}

// ticks are round moments, about ten across the whole axis.
func (a axis) ticks() []tick {
	const about = 8
	step, busy := time.Millisecond, a.busy()
	for _, next := range roundSteps() {
		if step = next; busy/about <= step {
			break
		}
	}
	for busy/about > step {
		step *= 2
	}
	var all []tick
	for _, s := range a.stretches {
		from, to := s.from.Sub(a.begin), s.to.Sub(a.begin)
		for after := (from + step - 1) / step * step; after <= to && after >= from; after += step {
			all = append(all, tick{a.x(a.begin.Add(after)), after})
		}
	}
	return all
}

// roundSteps are the distances that people read easily.
func roundSteps() []time.Duration {
	const ms, s, m, h = time.Millisecond, time.Second, time.Minute, time.Hour
	return []time.Duration{
		10 * ms, 50 * ms, 100 * ms, 500 * ms, s, 2 * s, 5 * s, 10 * s, 30 * s,
		m, 2 * m, 5 * m, 10 * m, 30 * m, h, 2 * h, 6 * h, 12 * h, 24 * h,
	}
}
