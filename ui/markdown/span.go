package markdown

import (
	"pawl/agent/sanitize"
	"pawl/ui/highlight"
)

// Line is one row on the screen, from left to right.
type Line []Span

// cells is the width of the line.
func (l Line) cells() int {
	width := 0
	for _, s := range l {
		width += cells(s.Text)
	}
	return width
}

// Span is a text in one look, without newlines.
type Span struct {
	Text sanitize.Text
	Look Look
}

// Look is the meaning of a text.
type Look struct {
	Weight Weight
	Ink    Ink
	Code   highlight.Kind // for InkCode
}

// Weight is a set of ways to stand out without a colour.
type Weight uint8

// The weights; a text may have several.
const (
	Strong Weight = 1 << iota
	Emphasis
	Struck
	Underlined
)

// Ink says what a text is; the theme gives it a colour.
type Ink uint8

// The inks.
const (
	InkText    Ink = iota
	InkQuoted      // code between words
	InkCode        // a block of code
	InkLink        // the words of a link
	InkAddress     // the address of a link
	InkSign        // ours: a rule, the sign of a continued line
)

// Signs are the characters for things without letters, each one cell wide.
type Signs struct {
	Bullet, Bar, Rule, Cross, Turned sanitize.Text
	Ticked, Unticked                 sanitize.Text // of any width
}
