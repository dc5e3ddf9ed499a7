package composer

// Kills is the kill ring: the pieces that were cut or cleared, newest last. Ctrl+Y inserts the
// newest, and Alt+Y right after that replaces it by an older one.
type Kills struct {
	Ring []Piece
	// The last cut and the last piece inserted, valid while nothing else changes the text.
	cut, back spot
	older     int // how many pieces older than the newest the inserted one is
}

// spot is a range of the text at one state of it.
type spot struct{ from, to, serial int }

// killsKept is the length of the kill ring.
const killsKept = 20

func (k *Kills) add(p Piece) {
	k.Ring = append(k.Ring[max(0, len(k.Ring)-killsKept+1):], p)
}

// kill cuts a range. Consecutive cuts are joined into one piece.
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

// Yank inserts the newest piece at the cursor.
func (c *Composer) Yank() {
	if len(c.Kills.Ring) > 0 {
		c.yank(c.At, c.At, 0)
	}
}

// YankOlder replaces the piece just inserted by an older one.
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
