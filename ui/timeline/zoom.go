package timeline

import "time"

// zoom is the visible part of the axis, from Lo to Hi in time in which something ran; zero for
// all of it.
type zoom struct{ lo, hi time.Duration }

// closest is the least time across the whole width.
const closest = 50 * time.Millisecond

// whole reports whether all of the axis is shown.
func (z zoom) whole() bool { return z == zoom{} }

// by is the part that is half as long or, for a step of -1, twice as long, and leaves the moment
// fixed where it is.
func (z zoom) by(step int, fixed, busy time.Duration) zoom {
	if z.whole() {
		z.hi = busy
	}
	was := z.hi - z.lo
	took := was / 2
	if step < 0 {
		took = was * 2
	}
	if took >= busy {
		return zoom{}
	}
	if took = max(took, closest); was <= 0 || took >= was && step > 0 {
		return z
	}
	part := float64(fixed-z.lo) / float64(was)
	return zoom{lo: fixed - time.Duration(part*float64(took))}.long(took, busy)
}

// around is a part of the same length that contains a moment: this one if it does, or else one
// with the moment in its middle.
func (z zoom) around(at, busy time.Duration) zoom {
	if z.whole() || z.lo <= at && at <= z.hi {
		return z
	}
	took := z.hi - z.lo
	return zoom{lo: at - took/2}.long(took, busy)
}

// long is the part of this length from Lo, moved inside the axis.
func (z zoom) long(took, busy time.Duration) zoom {
	lo := max(0, min(z.lo, busy-took))
	return zoom{lo, lo + took}
}
