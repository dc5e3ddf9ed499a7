package markdown

import (
	"pawl/agent/sanitize"
	"pawl/ui/highlight"
)

// Line is one row of the screen, from left to right.
type Line []Span

// cells is how wide it is.
func (l Line) cells() int {
	width := 0
	for _, s := range l {
		width += cells(s.Text)
	}
	return width
}

// Span is a text that looks the same from its beginning to its end. It has no
// newline in it.
type Span struct {
	Text sanitize.Text
	Look Look
}

// Look is how a text is meant.
type Look struct {
	Weight Weight
	Ink    Ink
	Code   highlight.Kind // of InkCode
}

// Weight is a set of what makes text stand out without a colour.
type Weight uint8

// The weights; a text may have several.
const (
	Strong Weight = 1 << iota
	Emphasis
	Struck
	Underlined
)

// Ink says what a text is in place of a colour.
type Ink uint8

// The inks.
const (
	InkText    Ink = iota
	InkQuoted      // code between words
	InkCode        // a block of code
	InkLink        // the words of a link
	InkAddress     // where it goes
	InkSign        // ours: a rule, the sign of a line that goes on
)

// Signs are what is drawn for what has no letters. Each is one cell wide.
type Signs struct {
	Bullet, Bar, Rule, Cross, Turned sanitize.Text
	Ticked, Unticked                 sanitize.Text // as wide as they are
}
