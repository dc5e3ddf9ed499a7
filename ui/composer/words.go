package composer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// After is the end of the character at i: a grapheme cluster or a folded paste.
func (c *Composer) After(i int) int {
	if i >= len(c.Text) {
		return len(c.Text)
	}
	if ch, folded := c.fold(i); folded {
		return ch.End
	}
	if c.Text[i] < utf8.RuneSelf && (i+1 == len(c.Text) || c.Text[i+1] < utf8.RuneSelf) {
		return i + 1
	}
	cluster, _ := ansi.FirstGraphemeCluster(c.Text[i:c.foldAfter(i)], ansi.GraphemeWidth)
	return i + max(1, len(cluster))
}

// Before is the start of the character that ends at i.
func (c *Composer) Before(i int) int {
	if i <= 0 {
		return 0
	}
	if ch, folded := c.fold(i - 1); folded {
		return ch.Start
	}
	if c.Text[i-1] < utf8.RuneSelf {
		return i - 1
	}
	at := i - 1 // back to a sure start of a character
	for stop := max(c.LineStart(i), c.foldBefore(i)); at > stop && c.Text[at] >= utf8.RuneSelf; {
		at--
	}
	for {
		next := c.After(at)
		if next >= i {
			return at
		}
		at = next
	}
}

// foldBefore is the end of the last folded paste before i, or 0.
func (p *Piece) foldBefore(i int) (end int) {
	for _, ch := range p.Chips {
		if !ch.Open && ch.End <= i {
			end = ch.End
		}
	}
	return end
}

// foldAfter is the start of the first folded paste after i, or the text's end.
func (p *Piece) foldAfter(i int) int {
	for _, ch := range p.Chips {
		if !ch.Open && ch.Start >= i {
			return ch.Start
		}
	}
	return len(p.Text)
}

// LineStart is the start of the line that contains i.
func (c *Composer) LineStart(i int) int {
	for {
		n := strings.LastIndexByte(c.Text[:i], '\n')
		ch, folded := c.fold(n)
		if !folded {
			return n + 1
		}
		i = ch.Start
	}
}

// LineEnd is the end of the line that contains i.
func (c *Composer) LineEnd(i int) int {
	for {
		n := strings.IndexByte(c.Text[i:], '\n')
		if n < 0 {
			return len(c.Text)
		}
		ch, folded := c.fold(i + n)
		if !folded {
			return i + n
		}
		i = ch.End
	}
}

// NonSpace reports whether a rune belongs to a word for Ctrl+W.
func NonSpace(r rune) bool { return !unicode.IsSpace(r) }

// WordRune reports whether a rune belongs to a word for the keys with Alt.
func WordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func not(in func(rune) bool) func(rune) bool { return func(r rune) bool { return !in(r) } }

// WordLeft is the start of the word before i. A folded paste is a word.
func (c *Composer) WordLeft(i int, in func(rune) bool) int {
	floor := c.foldBefore(i)
	word := strings.TrimRightFunc(c.Text[floor:i], not(in))
	if word == "" && floor > 0 {
		return c.Before(floor)
	}
	return floor + len(strings.TrimRightFunc(word, in))
}

// WordRight is the end of the word after i.
func (c *Composer) WordRight(i int, in func(rune) bool) int {
	_, end := c.nextWord(i, in)
	return end
}

func (c *Composer) nextWord(i int, in func(rune) bool) (start, end int) {
	ceiling := c.foldAfter(i)
	word := strings.TrimLeftFunc(c.Text[i:ceiling], not(in))
	if word == "" && ceiling < len(c.Text) {
		return ceiling, c.After(ceiling)
	}
	return ceiling - len(word), ceiling - len(strings.TrimLeftFunc(word, in))
}

// Recase changes the case of the word after the cursor, and moves the cursor after it.
func (c *Composer) Recase(change func(string) string) {
	start, end := c.nextWord(c.At, WordRune)
	if _, folded := c.fold(start); folded || start == end {
		c.Move(end)
		return
	}
	c.Splice(start, end, Piece{Text: change(c.Text[start:end])})
}

// Capitalize makes a word's first letter upper case and the others lower case.
func Capitalize(word string) string {
	first, n := utf8.DecodeRuneInString(word)
	return string(unicode.ToTitle(first)) + strings.ToLower(word[n:])
}
