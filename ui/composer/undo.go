package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// past is the list of changes that can be undone.
type past struct {
	edits  []change
	bytes  int // size of the edits
	serial int // grows with every change and every undo
}

// change is one change of the text with what is needed to undo it.
type change struct {
	at      int
	removed string
	added   int    // bytes
	chips   []Chip // before it
	cursor  int    // before it
	typing  bool   // typed one character at a time: more is joined
}

// Limits of undo: more than anybody goes back by a key, in little memory.
const (
	undoable      = 500
	undoableBytes = 8 << 20
)

// add records a change that is about to be made. Typing within a word, and deleting letter by
// letter, is undone as one.
func (p *past) add(c *Composer, from, to int, with string) {
	p.serial++
	removed := c.Text[from:to]
	if removed == with {
		return
	}
	one := utf8.RuneCountInString(removed)+utf8.RuneCountInString(with) == 1
	if n := len(p.edits); n > 0 && one && p.edits[n-1].typing {
		last := &p.edits[n-1]
		switch {
		case removed == "" && last.removed == "" && from == last.at+last.added && !begins(c.Text[:from], with):
			last.added += len(with)
			return
		case with == "" && last.added == 0 && to == last.at:
			last.at, last.removed = from, removed+last.removed
			p.bytes += len(removed)
			return
		}
	}
	p.edits = append(p.edits, change{from, strings.Clone(removed), len(with), c.Chips, c.At, one})
	p.bytes += len(removed)
	for len(p.edits) > undoable || p.bytes > undoableBytes && len(p.edits) > 1 {
		p.bytes -= len(p.edits[0].removed)
		p.edits = p.edits[1:]
	}
}

// begins reports whether a character begins a word after a text.
func begins(text, with string) bool {
	before, _ := utf8.DecodeLastRuneInString(text)
	r, _ := utf8.DecodeRuneInString(with)
	return unicode.IsSpace(before) && !unicode.IsSpace(r)
}

// Undo reverts the last change. It reports false if there is none.
func (c *Composer) Undo() bool {
	n := len(c.past.edits)
	if n == 0 {
		return false
	}
	e := c.past.edits[n-1]
	c.past.edits = c.past.edits[:n-1]
	c.past.bytes -= len(e.removed)
	c.past.serial++
	c.Text = c.Text[:e.at] + e.removed + c.Text[e.at+e.added:]
	c.Chips, c.At, c.Goal = e.chips, c.outside(e.cursor, 1), -1
	c.wrapped.rows = nil
	return true
}
