package timeline

import (
	"time"
)

// Zoom is the visible part of the axis, from Lo to Hi in time in which something ran; zero for
// all of it.
type Zoom struct{ Lo, Hi time.Duration }

// closest is the least time across the whole width.
const closest = 50 * time.Millisecond

// Whole reports whether all of the axis is shown.
func (z Zoom) Whole() bool { return z == Zoom{} }

// By is the part that is half as long or, for a step of -1, twice as long, and leaves the moment
// fixed where it is.
func (z Zoom) By(step int, fixed, busy time.Duration) Zoom {
	if z.Whole() {
		z.Hi = busy
	}
	was := z.Hi - z.Lo
	took := was / 2
	if step < 0 {
		took = was * 2
	}
	if took >= busy {
		return Zoom{}
	}
	if took = max(took, closest); was <= 0 || took >= was && step > 0 {
		return z
	}
	part := float64(fixed-z.Lo) / float64(was)
	return Zoom{Lo: fixed - time.Duration(part*float64(took))}.long(took, busy)
}

// Around is a part of the same length that contains a moment: this one if it does, or else one
// with the moment in its middle.
func (z Zoom) Around(at, busy time.Duration) Zoom {
	if z.Whole() || z.Lo <= at && at <= z.Hi {
		return z
	}
	took := z.Hi - z.Lo
	return Zoom{Lo: at - took/2}.long(took, busy)
}

// long is the part of this length from Lo, moved inside the axis.
func (z Zoom) long(took, busy time.Duration) Zoom {
	lo := max(0, min(z.Lo, busy-took))
	return Zoom{lo, lo + took}
}
