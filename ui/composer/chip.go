package composer

import (
	"strings"
	"unicode/utf8"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// Chip is a paste that is shown as one character: a marker that says how much it holds. When
// opened it is normal text, until it is folded again.
type Chip struct {
	Start, End int // byte offsets in the text
	number     int // numbers the pastes of one message
	Open       bool
	mark       sanitize.Text
}

// Piece is text with the pastes in it, in order. It is a value: its chips are never changed in
// place.
type Piece struct {
	Text  string
	Chips []Chip
}

// What is folded: a paste longer than a person can take in at a glance; and a whole text that
// comes back from the history or after a crash and would fill screens, because it is not known
// any more which of it was pasted.
const (
	foldLines, foldCharacters = 10, 2_000
	hugeLines, hugeCharacters = 100, 10_000
)

// knownPastes is how many pastes a composer recognises when they come back.
const knownPastes = 8

// exceeds reports whether a text is longer than either limit.
func exceeds(text string, lines, characters int) bool {
	return len(text) > characters && utf8.RuneCountInString(text) > characters || words.Lines(text) > lines
}

// Paste inserts a pasted text at the cursor, folded if it is long. Pasting the same text again
// opens the folded paste before the cursor.
func (c *Composer) Paste(text string) {
	text = UnixLines(text)
	for i, ch := range c.Chips {
		if !ch.Open && ch.End == c.At && c.Text[ch.Start:ch.End] == text {
			c.Toggle(i)
			return
		}
	}
	if !exceeds(text, foldLines, foldCharacters) {
		c.Splice(c.At, c.At, Piece{Text: text})
		return
	}
	c.know(text)
	c.Splice(c.At, c.At, c.chipped(Piece{Text: text}, 0, len(text)))
}

// know remembers a paste, to fold it again when it comes back inside another text.
func (c *Composer) know(text string) {
	for _, known := range c.known {
		if known == text {
			return
		}
	}
	c.known = append(c.known[max(0, len(c.known)-knownPastes+1):], strings.Clone(text))
}

// chipped folds a range after the last chip of a piece.
func (c *Composer) chipped(p Piece, start, end int) Piece {
	c.Pasted++
	ch := Chip{Start: start, End: end, number: c.Pasted}
	ch.mark = draw.PasteMark(ch.number, p.Text[start:end])
	p.Chips = append(p.Chips[:len(p.Chips):len(p.Chips)], ch)
	return p
}

// Folded is a text that comes back: with the known pastes in it folded, or else folded as a
// whole if it is huge.
func (c *Composer) Folded(text string) Piece {
	p := c.Refolded(text)
	if len(p.Chips) == 0 && exceeds(text, hugeLines, hugeCharacters) {
		return c.chipped(p, 0, len(text))
	}
	return p
}

// Refolded is a text with the known pastes in it folded.
func (c *Composer) Refolded(text string) Piece {
	p := Piece{Text: text}
	for from := 0; ; {
		start, end := len(text), -1
		for _, paste := range c.known {
			if i := strings.Index(text[from:], paste); i >= 0 && from+i < start {
				start, end = from+i, from+i+len(paste)
			}
		}
		if end < 0 {
			return p
		}
		p = c.chipped(p, start, end)
		from = end
	}
}

// Toggle opens a folded paste, or folds an opened one.
func (c *Composer) Toggle(i int) {
	chips := append([]Chip(nil), c.Chips...)
	ch := &chips[i]
	ch.Open = !ch.Open
	if !ch.Open {
		ch.mark = draw.PasteMark(ch.number, c.Text[ch.Start:ch.End])
		c.At = ch.End
	}
	c.Chips, c.wrapped.rows, c.Goal = chips, nil, -1
}

// ChipAtCursor is the index of the paste that the cursor is after, before or in.
func (c *Composer) ChipAtCursor() (int, bool) {
	at := -1
	for i, ch := range c.Chips {
		if ch.Start <= c.At && c.At <= ch.End {
			at = i
			if ch.End == c.At {
				break // of two adjacent ones, the one before the cursor
			}
		}
	}
	return at, at >= 0
}

// Pastes are the texts that stand folded in the piece.
func (p *Piece) Pastes() []string {
	var pastes []string
	for _, ch := range p.Chips {
		if !ch.Open {
			pastes = append(pastes, strings.Clone(p.Text[ch.Start:ch.End]))
		}
	}
	return pastes
}

// fold returns the folded paste that holds the byte at i.
func (p *Piece) fold(i int) (Chip, bool) {
	for _, ch := range p.Chips {
		if !ch.Open && ch.Start <= i && i < ch.End {
			return ch, true
		}
	}
	return Chip{}, false
}

// outside is i or, if that is inside a folded paste, the paste's end in the given direction.
func (p *Piece) outside(i, by int) int {
	ch, in := p.fold(i)
	switch {
	case !in, i == ch.Start:
		return i
	case by < 0:
		return ch.Start
	}
	return ch.End
}

// spliced is the piece with a range replaced by another piece. The range must hold folded pastes
// whole or not at all.
func (p *Piece) spliced(from, to int, with Piece) Piece {
	by := len(with.Text) - (to - from)
	var before, after []Chip
	for _, ch := range p.Chips {
		switch {
		case ch.End <= from:
			before = append(before, ch)
		case ch.Start >= to:
			ch.Start, ch.End = ch.Start+by, ch.End+by
			after = append(after, ch)
		case ch.Open && ch.Start <= from && to <= ch.End && len(with.Chips) == 0 && ch.End+by > ch.Start:
			ch.End += by
			before = append(before, ch)
		}
	}
	for _, ch := range with.Chips {
		ch.Start, ch.End = ch.Start+from, ch.End+from
		before = append(before, ch)
	}
	return Piece{Text: p.Text[:from] + with.Text + p.Text[to:], Chips: append(before, after...)}
}

// part is a range of the piece, with the pastes that are entirely in it.
func (p *Piece) part(from, to int) Piece {
	got := Piece{Text: strings.Clone(p.Text[from:to])}
	for _, ch := range p.Chips {
		if from <= ch.Start && ch.End <= to {
			ch.Start, ch.End = ch.Start-from, ch.End-from
			got.Chips = append(got.Chips, ch)
		}
	}
	return got
}

// join is the piece followed by another.
func (p *Piece) join(next Piece) Piece { return p.spliced(len(p.Text), len(p.Text), next) }
