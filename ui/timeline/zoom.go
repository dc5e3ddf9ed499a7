package timeline

import (
	"time"
)

// Zoom is the part of the axis that is shown, from lo to hi in the time in which
// something ran; the whole while it is zero.
type Zoom struct{ Lo, Hi time.Duration }

// closest is the least time that is shown over the whole width.
const closest = 50 * time.Millisecond

// Whole reports whether all of the axis is shown.
func (z Zoom) Whole() bool { return z == Zoom{} }

// By is the part that is half as long, or for a step of -1 twice, with one moment of it
// where it was.
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

// Around is a part as long that holds a moment: the same one where it does, else with
// the moment in its middle.
func (z Zoom) Around(at, busy time.Duration) Zoom {
	if z.Whole() || z.Lo <= at && at <= z.Hi {
		return z
	}
	took := z.Hi - z.Lo
	return Zoom{Lo: at - took/2}.long(took, busy)
}

// long is the part from lo that takes so long, moved into what there is.
func (z Zoom) long(took, busy time.Duration) Zoom {
	lo := max(0, min(z.Lo, busy-took))
	return Zoom{lo, lo + took}
}
