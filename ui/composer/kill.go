package composer

// Kills are the pieces that were cut or cleared, the newest last. Ctrl+Y brings the
// newest back, Alt+Y right after that an older one in its place.
type Kills struct {
	Ring []Piece
	// The last cut and the last piece brought back, for as long as nothing else
	// changes the line.
	cut, back spot
	older     int // how many pieces before the newest the one brought back is
}

// spot is a stretch of the line at one moment of its past.
type spot struct{ from, to, serial int }

// killsKept is how many pieces can be brought back.
const killsKept = 20

func (k *Kills) add(p Piece) {
	k.Ring = append(k.Ring[max(0, len(k.Ring)-killsKept+1):], p)
}

// kill cuts a stretch. Cuts right after one another are brought back as one.
func (c *Composer) kill(from, to int) {
	k, cut := &c.Kills, c.part(from, to)
	n := len(k.Ring)
	switch follows := n > 0 && k.cut.serial == c.past.serial; {
	case follows && from == k.cut.from:
		k.Ring[n-1] = k.Ring[n-1].join(cut)
	case follows && to == k.cut.from:
		k.Ring[n-1] = cut.join(k.Ring[n-1])
	default:
		k.add(cut)
	}
	c.Splice(from, to, Piece{})
	k.cut = spot{from, from, c.past.serial}
}

// Yank puts the newest cut piece at the cursor.
func (c *Composer) Yank() {
	if len(c.Kills.Ring) > 0 {
		c.yank(c.At, c.At, 0)
	}
}

// YankOlder puts an older piece in the place of the one just brought back.
func (c *Composer) YankOlder() {
	k := &c.Kills
	if n := len(k.Ring); n > 0 && k.back.serial == c.past.serial && k.back.to == c.At {
		c.yank(k.back.from, k.back.to, (k.older+1)%n)
	}
}

func (c *Composer) yank(from, to, older int) {
	k := &c.Kills
	p := k.Ring[len(k.Ring)-1-older]
	c.Splice(from, to, p)
	k.back, k.older = spot{from, from + len(p.Text), c.past.serial}, older
}
