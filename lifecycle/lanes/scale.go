package lanes

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"
)

// Stretch is a time in which something ran.
type Stretch struct{ From, To time.Time }

// Part is how much of a width lies before a moment: nothing before the stretch begins, and
// all of it from its end on. A stretch without length has no width.
func (s Stretch) Part(at time.Time, width float64) float64 {
	whole := s.To.Sub(s.From)
	if whole <= 0 {
		return 0
	}
	return width * float64(max(0, min(at.Sub(s.From), whole))) / float64(whole)
}

// Scale is the time of a session that is drawn to scale: stretches in their order, with
// pauses between them.
type Scale []Stretch

// NewScale sorts stretches and joins those with at most so long a pause between them. Of
// the argument only the order changes.
func NewScale(all []Stretch, pause time.Duration) Scale {
	earlier := func(x, y Stretch) int { return x.From.Compare(y.From) }
	if !slices.IsSortedFunc(all, earlier) {
		slices.SortFunc(all, earlier)
	}
	var kept Scale
	for _, s := range all {
		n := len(kept)
		if n == 0 || s.From.Sub(kept[n-1].To) > pause {
			kept = append(kept, s)
			continue
		}
		if s.To.After(kept[n-1].To) {
			kept[n-1].To = s.To
		}
	}
	return slices.Clip(kept)
}

// Busy is how much time is drawn to scale: at most what a Duration holds, however the
// clocks went.
func (s Scale) Busy() time.Duration {
	var sum time.Duration
	for _, one := range s {
		sum += min(one.To.Sub(one.From), math.MaxInt64-sum)
	}
	return sum
}

// Find is the last stretch that begins at a moment or before it, -1 for none.
func (s Scale) Find(at time.Time) int {
	i, _ := slices.BinarySearchFunc(s, at, func(one Stretch, at time.Time) int { return cmp.Or(one.From.Compare(at), -1) })
	return i - 1
}

// Ticks are round times since a beginning, about so many on the whole scale, each with the
// stretch in which it stands.
func (s Scale) Ticks(begin time.Time, about int) iter.Seq2[int, time.Duration] {
	step := roundStep(s.Busy() / time.Duration(max(1, about)))
	return func(yield func(int, time.Duration) bool) {
		for i, one := range s {
			from, to := one.From.Sub(begin), one.To.Sub(begin)
			for after := (from + step - 1) / step * step; after <= to && after >= from; after += step {
				if !yield(i, after) {
					return
				}
			}
		}
	}
}

// roundStep is the least distance between ticks that people read easily and that is not
// below another: from a millisecond on, and beyond a day its doubles.
func roundStep(least time.Duration) time.Duration {
	const ms, s, m, h = time.Millisecond, time.Second, time.Minute, time.Hour
	for _, step := range [...]time.Duration{
		ms, 2 * ms, 5 * ms, 10 * ms, 20 * ms, 50 * ms, 100 * ms, 200 * ms, 500 * ms,
		s, 2 * s, 5 * s, 10 * s, 15 * s, 30 * s, m, 2 * m, 5 * m, 10 * m, 15 * m, 30 * m, h, 2 * h, 6 * h, 12 * h,
	} {
		if step >= least {
			return step
		}
	}
	step := 24 * h
	for step < least {
		step *= 2
	}
	return step
}
