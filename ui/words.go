package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// after is the end of the character at i: one that people see as one, a folded
// paste too.
func (c *composer) after(i int) int {
	if i >= len(c.text) {
		return len(c.text)
	}
	if ch, folded := c.fold(i); folded {
		return ch.end
	}
	if c.text[i] < utf8.RuneSelf && (i+1 == len(c.text) || c.text[i+1] < utf8.RuneSelf) {
		return i + 1
	}
	cluster, _ := ansi.FirstGraphemeCluster(c.text[i:c.foldAfter(i)], ansi.GraphemeWidth)
	return i + max(1, len(cluster))
}

// before is the start of the character that ends at i.
func (c *composer) before(i int) int {
	if i <= 0 {
		return 0
	}
	if ch, folded := c.fold(i - 1); folded {
		return ch.start
	}
	if c.text[i-1] < utf8.RuneSelf {
		return i - 1
	}
	at := i - 1 // back to where a character surely begins
	for stop := max(c.lineStart(i), c.foldBefore(i)); at > stop && c.text[at] >= utf8.RuneSelf; {
		at--
	}
	for {
		next := c.after(at)
		if next >= i {
			return at
		}
		at = next
	}
}

// foldBefore is the end of the last folded paste up to i, 0 without one.
func (p *piece) foldBefore(i int) (end int) {
	for _, ch := range p.chips {
		if !ch.open && ch.end <= i {
			end = ch.end
		}
	}
	return end
}

// foldAfter is the start of the first folded paste from i on, else the text's end.
func (p *piece) foldAfter(i int) int {
	for _, ch := range p.chips {
		if !ch.open && ch.start >= i {
			return ch.start
		}
	}
	return len(p.text)
}

func (c *composer) lineStart(i int) int {
	for {
		n := strings.LastIndexByte(c.text[:i], '\n')
		ch, folded := c.fold(n)
		if !folded {
			return n + 1
		}
		i = ch.start
	}
}

func (c *composer) lineEnd(i int) int {
	for {
		n := strings.IndexByte(c.text[i:], '\n')
		if n < 0 {
			return len(c.text)
		}
		ch, folded := c.fold(i + n)
		if !folded {
			return i + n
		}
		i = ch.end
	}
}

// spaced and worded are what words are made of for Ctrl+W, and for the keys with
// Alt: all that is no space, and letters and digits.
func spaced(r rune) bool { return !unicode.IsSpace(r) }

func worded(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func not(in func(rune) bool) func(rune) bool { return func(r rune) bool { return !in(r) } }

// wordLeft is where the word begins that ends before i. A folded paste is a word.
func (c *composer) wordLeft(i int, in func(rune) bool) int {
	floor := c.foldBefore(i)
	word := strings.TrimRightFunc(c.text[floor:i], not(in))
	if word == "" && floor > 0 {
		return c.before(floor)
	}
	return floor + len(strings.TrimRightFunc(word, in))
}

// wordRight is where the word ends that begins behind i.
func (c *composer) wordRight(i int, in func(rune) bool) int {
	_, end := c.nextWord(i, in)
	return end
}

func (c *composer) nextWord(i int, in func(rune) bool) (start, end int) {
	ceiling := c.foldAfter(i)
	word := strings.TrimLeftFunc(c.text[i:ceiling], not(in))
	if word == "" && ceiling < len(c.text) {
		return ceiling, c.after(ceiling)
	}
	return ceiling - len(word), ceiling - len(strings.TrimLeftFunc(word, in))
}

// recase changes the letters of the word behind the cursor, which goes behind it.
func (c *composer) recase(change func(string) string) {
	start, end := c.nextWord(c.at, worded)
	if _, folded := c.fold(start); folded || start == end {
		c.move(end)
		return
	}
	c.splice(start, end, piece{text: change(c.text[start:end])})
}

func capital(word string) string {
	first, n := utf8.DecodeRuneInString(word)
	return string(unicode.ToTitle(first)) + strings.ToLower(word[n:])
}
