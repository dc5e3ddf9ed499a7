package ui

// kills are the pieces that were cut or cleared, the newest last. Ctrl+Y brings the
// newest back, Alt+Y right after that an older one in its place.
type kills struct {
	ring []piece
	// The last cut and the last piece brought back, for as long as nothing else
	// changes the line.
	cut, back spot
	older     int // how many pieces before the newest the one brought back is
}

// spot is a stretch of the line at one moment of its past.
type spot struct{ from, to, serial int }

// killsKept is how many pieces can be brought back.
const killsKept = 20

func (k *kills) add(p piece) {
	k.ring = append(k.ring[max(0, len(k.ring)-killsKept+1):], p)
}

// kill cuts a stretch. Cuts right after one another are brought back as one.
func (c *composer) kill(from, to int) {
	k, cut := &c.kills, c.part(from, to)
	n := len(k.ring)
	switch follows := n > 0 && k.cut.serial == c.past.serial; {
	case follows && from == k.cut.from:
		k.ring[n-1] = k.ring[n-1].join(cut)
	case follows && to == k.cut.from:
		k.ring[n-1] = cut.join(k.ring[n-1])
	default:
		k.add(cut)
	}
	c.splice(from, to, piece{})
	k.cut = spot{from, from, c.past.serial}
}

func (c *composer) bringBack() {
	if len(c.kills.ring) > 0 {
		c.yank(c.at, c.at, 0)
	}
}

// bringOlder puts an older piece in the place of the one just brought back.
func (c *composer) bringOlder() {
	k := &c.kills
	if n := len(k.ring); n > 0 && k.back.serial == c.past.serial && k.back.to == c.at {
		c.yank(k.back.from, k.back.to, (k.older+1)%n)
	}
}

func (c *composer) yank(from, to, older int) {
	k := &c.kills
	p := k.ring[len(k.ring)-1-older]
	c.splice(from, to, p)
	k.back, k.older = spot{from, from + len(p.text), c.past.serial}, older
}
