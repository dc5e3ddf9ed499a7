package timeline

import "time"

// zoom is the part of the axis that is shown, from lo to hi in the time in which
// something ran; the whole while it is zero.
type zoom struct{ lo, hi time.Duration }

// closest is the least time that is shown over the whole width.
const closest = 50 * time.Millisecond

// whole reports whether all of the axis is shown.
func (z zoom) whole() bool { return z == zoom{} }

// by is the part that is half as long, or for a step of -1 twice, with one moment of it
// where it was.
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

// around is a part as long that holds a moment: the same one where it does, else with
// the moment in its middle.
func (z zoom) around(at, busy time.Duration) zoom {
	if z.whole() || z.lo <= at && at <= z.hi {
		return z
	}
	took := z.hi - z.lo
	return zoom{lo: at - took/2}.long(took, busy)
}

// long is the part from lo that takes so long, moved into what there is.
func (z zoom) long(took, busy time.Duration) zoom {
	lo := max(0, min(z.lo, busy-took))
	return zoom{lo, lo + took}
}
