package search

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// weaker translates a pattern of Go's into one over bytes that other programs
// read in the same way: ASCII alone, no classes by name, no flags, no places
// (^, $, \b). It matches somewhere in every line in which the pattern does, and may
// match in others. It says no where it would match everywhere, or where nothing
// like it can be said.
//
// Whatever is no ASCII is taken for any bytes that are none: Go also takes a byte
// that is no UTF-8 for a character, and what counts as upper and lower case there
// depends on the version of Unicode.
func weaker(pattern string) (string, bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	var w weakening
	length := w.write(re)
	if w.failed || length == 0 {
		return "", false
	}
	return w.text.String(), true
}

type weakening struct {
	text   strings.Builder
	failed bool
}

// write translates a part and gives the least length in bytes of what it matches.
func (w *weakening) write(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		w.text.WriteString("(?:)")
		return 0
	case syntax.OpLiteral:
		return w.literal(re)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.class(re).one(&w.text)
		return 1
	case syntax.OpCapture:
		return w.write(re.Sub[0])
	case syntax.OpConcat:
		length := 0
		for _, sub := range re.Sub {
			length += w.write(sub)
		}
		return length
	case syntax.OpAlternate:
		return w.choice(re.Sub)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		return w.repeat(re)
	default: // it matches nothing
		w.failed = true
		return 0
	}
}

func (w *weakening) choice(subs []*syntax.Regexp) int {
	least := -1
	w.text.WriteString("(?:")
	for i, sub := range subs {
		if i > 0 {
			w.text.WriteByte('|')
		}
		if length := w.write(sub); least < 0 || length < least {
			least = length
		}
	}
	w.text.WriteByte(')')
	return least
}

func (w *weakening) repeat(re *syntax.Regexp) int {
	w.text.WriteString("(?:")
	length := w.write(re.Sub[0])
	w.text.WriteByte(')')
	switch re.Op {
	case syntax.OpStar:
		w.text.WriteByte('*')
	case syntax.OpQuest:
		w.text.WriteByte('?')
	case syntax.OpPlus:
		w.text.WriteByte('+')
		return length
	default: // syntax.OpRepeat; a Max of -1 is no limit
		fmt.Fprintf(&w.text, "{%d,", re.Min)
		if re.Max >= 0 {
			fmt.Fprint(&w.text, re.Max)
		}
		w.text.WriteByte('}')
		return length * re.Min
	}
	return 0
}

func (w *weakening) literal(re *syntax.Regexp) int {
	for _, r := range re.Rune {
		var b bytesOf
		b.add(r, r)
		if re.Flags&syntax.FoldCase != 0 {
			for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
				b.add(other, other)
			}
		}
		w.check(b).one(&w.text)
	}
	return len(re.Rune)
}

// class is what bytes a class of characters may begin with.
func (w *weakening) class(re *syntax.Regexp) bytesOf {
	var b bytesOf
	if re.Op != syntax.OpCharClass {
		b.add(0, unicode.MaxRune)
		return b
	}
	for ends := range slices.Chunk(re.Rune, 2) {
		b.add(ends[0], ends[1])
	}
	return w.check(b)
}

// check refuses what no character of a line can be: a line has no newline in it.
func (w *weakening) check(b bytesOf) bytesOf {
	if b.ascii == "" && !b.high {
		w.failed = true
	}
	return b
}

// bytesOf is a set of characters, those that are no ASCII as one.
type bytesOf struct {
	ascii string // as ranges of a class
	high  bool
}

func (b *bytesOf) add(from, to rune) {
	b.high = b.high || to >= utf8.RuneSelf
	for _, part := range [][2]rune{{from, min(to, '\n'-1)}, {max(from, '\n'+1), min(to, utf8.RuneSelf-1)}} {
		switch {
		case part[0] == part[1]:
			b.ascii += fmt.Sprintf(`\x%02x`, part[0])
		case part[0] < part[1]:
			b.ascii += fmt.Sprintf(`\x%02x-\x%02x`, part[0], part[1])
		}
	}
}

// one writes one character of the set. Another than ASCII has one to four bytes.
func (b bytesOf) one(text *strings.Builder) {
	const high = `[\x80-\xff]{1,4}`
	switch {
	case !b.high && len(b.ascii) == len(`\x00`): // programs look for plain text first
		text.WriteString(b.ascii)
	case !b.high:
		text.WriteString("[" + b.ascii + "]")
	case b.ascii == "":
		text.WriteString(high)
	default:
		text.WriteString("(?:[" + b.ascii + "]|" + high + ")")
	}
}
