package ui

import (
	"strings"
	"unicode/utf8"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// chip is a paste that stands in the line as one character: a mark that says how
// much it holds. Opened it is text as any other, until it is folded again.
type chip struct {
	start, end int // byte offsets in the text
	number     int // tells the pastes of one message apart
	open       bool
	mark       sanitize.Text
}

// piece is a stretch of text with the pastes in it, in their order. It is a value:
// its chips are never changed in place.
type piece struct {
	text  string
	chips []chip
}

// What is folded: a paste that is longer than a person takes in at a glance; and a
// whole text that comes back from the history or after a crash, where it would fill
// screens, for of such a text nobody knows any more what of it was pasted.
const (
	foldLines, foldCharacters = 10, 2_000
	hugeLines, hugeCharacters = 100, 10_000
)

// knownPastes is how many pastes a composer recognises when they come back.
const knownPastes = 8

// exceeds reports whether a text is longer than this.
func exceeds(text string, lines, characters int) bool {
	return len(text) > characters && utf8.RuneCountInString(text) > characters || words.Lines(text) > lines
}

// paste puts a pasted text at the cursor, folded if it is long. The same paste once
// more opens the one that the cursor stands behind.
func (c *composer) paste(text string) {
	text = unixLines(text)
	for i, ch := range c.chips {
		if !ch.open && ch.end == c.at && c.text[ch.start:ch.end] == text {
			c.turn(i)
			return
		}
	}
	if !exceeds(text, foldLines, foldCharacters) {
		c.splice(c.at, c.at, piece{text: text})
		return
	}
	c.know(text)
	c.splice(c.at, c.at, c.chipped(piece{text: text}, 0, len(text)))
}

// know remembers a paste, to fold it again when it comes back within another text.
func (c *composer) know(text string) {
	for _, known := range c.known {
		if known == text {
			return
		}
	}
	c.known = append(c.known[max(0, len(c.known)-knownPastes+1):], strings.Clone(text))
}

// chipped folds a stretch behind the last chip of a piece.
func (c *composer) chipped(p piece, start, end int) piece {
	c.pasted++
	ch := chip{start: start, end: end, number: c.pasted}
	ch.mark = markOf(ch.number, p.text[start:end])
	p.chips = append(p.chips[:len(p.chips):len(p.chips)], ch)
	return p
}

func markOf(number int, text string) sanitize.Text {
	if lines := words.Lines(text); lines > 1 {
		return draw.Sprintf("[paste %d: %s lines]", number, words.Grouped(int64(lines)))
	}
	return draw.Sprintf("[paste %d: %s characters]", number, words.Grouped(int64(utf8.RuneCountInString(text))))
}

// folded is a text that comes back into the line: with the pastes in it that are
// known, else folded as a whole where it is huge.
func (c *composer) folded(text string) piece {
	p := c.refolded(text)
	if len(p.chips) == 0 && exceeds(text, hugeLines, hugeCharacters) {
		return c.chipped(p, 0, len(text))
	}
	return p
}

// refolded is a text with the pastes in it that are known.
func (c *composer) refolded(text string) piece {
	p := piece{text: text}
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

// turn opens a folded paste, or folds an opened one.
func (c *composer) turn(i int) {
	chips := append([]chip(nil), c.chips...)
	ch := &chips[i]
	ch.open = !ch.open
	if !ch.open {
		ch.mark = markOf(ch.number, c.text[ch.start:ch.end])
		c.at = ch.end
	}
	c.chips, c.wrapped.rows, c.goal = chips, nil, -1
}

// touched is the paste at the cursor: the one it stands behind, before or in.
func (c *composer) touched() (int, bool) {
	at := -1
	for i, ch := range c.chips {
		if ch.start <= c.at && c.at <= ch.end {
			at = i
			if ch.end == c.at {
				break // of two that touch, the one before the cursor
			}
		}
	}
	return at, at >= 0
}

// fold is the folded paste that holds the byte at i.
func (p *piece) fold(i int) (chip, bool) {
	for _, ch := range p.chips {
		if !ch.open && ch.start <= i && i < ch.end {
			return ch, true
		}
	}
	return chip{}, false
}

// outside is i or, inside a folded paste, its end in a direction.
func (p *piece) outside(i, by int) int {
	ch, in := p.fold(i)
	switch {
	case !in, i == ch.start:
		return i
	case by < 0:
		return ch.start
	}
	return ch.end
}

// spliced is the piece with another in the place of a stretch, which holds each
// folded paste whole or not at all.
func (p *piece) spliced(from, to int, with piece) piece {
	by := len(with.text) - (to - from)
	var before, after []chip
	for _, ch := range p.chips {
		switch {
		case ch.end <= from:
			before = append(before, ch)
		case ch.start >= to:
			ch.start, ch.end = ch.start+by, ch.end+by
			after = append(after, ch)
		case ch.open && ch.start <= from && to <= ch.end && len(with.chips) == 0 && ch.end+by > ch.start:
			ch.end += by
			before = append(before, ch)
		}
	}
	for _, ch := range with.chips {
		ch.start, ch.end = ch.start+from, ch.end+from
		before = append(before, ch)
	}
	return piece{text: p.text[:from] + with.text + p.text[to:], chips: append(before, after...)}
}

// part is a stretch of the piece, with the pastes that stand in it as a whole.
func (p *piece) part(from, to int) piece {
	got := piece{text: strings.Clone(p.text[from:to])}
	for _, ch := range p.chips {
		if from <= ch.start && ch.end <= to {
			ch.start, ch.end = ch.start-from, ch.end-from
			got.chips = append(got.chips, ch)
		}
	}
	return got
}

// join is two pieces behind one another.
func (p *piece) join(next piece) piece { return p.spliced(len(p.text), len(p.text), next) }
