package approval

import "pawl/lifecycle"

// Denied is the list of what was denied to a session: what of it is to be granted, and
// which line has the mark. Its lines are handed in as they are at each moment; what is
// denied while it stands there is not chosen, for nobody may have read it.
type Denied struct {
	Session lifecycle.SessionID
	Rules   []Rule // that say why, as far as they are known
	chosen  map[lifecycle.Deed]bool
	at      int
	top     int // the first line of its body that is seen
	room    int // how many are
	moved   bool
}

// NewDenied begins with all chosen that a person may grant.
func NewDenied(session lifecycle.SessionID, open []lifecycle.Refusal) *Denied {
	d := &Denied{Session: session, chosen: map[lifecycle.Deed]bool{}}
	for _, r := range open {
		if r.Grantable() {
			d.chosen[r.Deed()] = true
		}
	}
	return d
}

// bound keeps the mark on a line. None is left when all was granted by somebody else
// meanwhile.
func (d *Denied) bound(open []lifecycle.Refusal) { d.at = max(0, min(d.at, len(open)-1)) }

// Step moves the mark.
func (d *Denied) Step(open []lifecycle.Refusal, by int) {
	d.at += by
	d.moved = true
	d.bound(open)
}

// Page scrolls by what is seen.
func (d *Denied) Page(by int) { d.Scroll(by * max(1, d.room-1)) }

// Scroll scrolls by some lines.
func (d *Denied) Scroll(by int) { d.top += by }

// Marked is the one that the mark is on; false where none is left.
func (d *Denied) Marked(open []lifecycle.Refusal) (lifecycle.Refusal, bool) {
	d.bound(open)
	if len(open) == 0 {
		return lifecycle.Refusal{}, false
	}
	return open[d.at], true
}

// Toggle chooses what is not chosen, or leaves it out.
func (d *Denied) Toggle(r lifecycle.Refusal) { d.chosen[r.Deed()] = !d.chosen[r.Deed()] }

// Chosen is what a grant would allow now.
func (d *Denied) Chosen(open []lifecycle.Refusal) []lifecycle.Deed {
	var deeds []lifecycle.Deed
	for _, r := range open {
		if r.Grantable() && d.chosen[r.Deed()] {
			deeds = append(deeds, r.Deed())
		}
	}
	return deeds
}
