package sanitize

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is text that is safe to write to a terminal: valid UTF-8, made of newlines and
// printable characters only.
type Text string

// String is the text as a string, for measuring or storing.
func (t Text) String() string { return string(t) }

// Lines splits the text at newlines. Text without a newline is one line.
func (t Text) Lines() []Text {
	var lines []Text
	for line := range strings.SplitSeq(string(t), "\n") {
		lines = append(lines, Text(line))
	}
	return lines
}

const (
	tab = "    "

	// replacement replaces what must not be shown: invalid UTF-8, C1 controls, direction
	// overrides, invisible characters, tags.
	replacement = '\uFFFD'

	// MarksKept is how many combining marks one character may have: more than any script
	// needs, and too few to draw over other lines.
	MarksKept = 8
)

// Clean makes any bytes safe to show. Newlines stay, and CR LF becomes one; a tab becomes
// four spaces; other control characters become their symbols (a lone CR is ␍, so that it
// cannot overwrite a line); C1 controls, direction overrides, zero-width and tag
// characters become U+FFFD. Invisible joiners are dropped where scripts and emoji need
// them, and replaced elsewhere. Clean is idempotent.
func Clean(s string) Text {
	if plain(s) {
		return Text(s)
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	var last rune // the last character written, 0 at the start of a line
	marks := 0
	for i := 0; i < len(s); {
		if n := visible(s[i:]); n > 0 { // most of a text is plain, and stays as it is
			b.WriteString(s[i : i+n])
			i += n
			last, marks = rune(s[i-1]), 0
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		rest := s[i+size:]
		broken := r == utf8.RuneError && size == 1
		i += size
		if !broken && joiner(r) && joins(last, rest) {
			continue
		}
		if !broken && unicode.Is(unicode.M, r) && !Invisible(r) {
			if marks++; marks > MarksKept {
				continue
			}
		} else {
			marks = 0
		}
		if r == '\r' && strings.HasPrefix(rest, "\n") {
			continue
		}
		last = write(&b, r)
	}
	return Text(b.String())
}

// Line is Clean for a single line: each run of line ends and tabs becomes one space.
func Line(s string) Text {
	if !strings.ContainsAny(s, "\n\r\t") {
		return Clean(s)
	}
	return Clean(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }), " "))
}

// plain reports whether s is safe as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' || c >= 0x7f {
			return false
		}
	}
	return true
}

// visible is the length of the printable ASCII at the start of s.
func visible(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return i
		}
	}
	return len(s)
}

// write writes what is shown for r, and returns the last character written.
func write(b *strings.Builder, r rune) rune {
	switch {
	case r == '\n':
		b.WriteByte('\n')
		return 0
	case r == '\t':
		b.WriteString(tab)
		return ' '
	case r < ' ':
		r += '\u2400'
	case r == 0x7f:
		r = '\u2421'
	case r == '\u3000': // the wide space of Chinese and Japanese
		b.WriteString("  ")
		return ' '
	case unicode.Is(unicode.Zs, r):
		r = ' '
	case Invisible(r) || !unicode.IsPrint(r):
		r = replacement
	}
	b.WriteRune(r)
	return r
}

// Invisible reports whether r has no width or no shape, and so can hide text from a reader.
func Invisible(r rune) bool {
	switch r {
	case 0x115f, 0x1160, 0x3164, 0xffa0, 0x034f, 0x17b4, 0x17b5, 0x2800:
		return true
	}
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// joiner reports whether r only changes how its neighbours are drawn.
func joiner(r rune) bool {
	return r == '\u200c' || r == '\u200d' || r == '\ufe0e' || r == '\ufe0f'
}

// joins reports whether a joiner has something to join on its left, a character of a
// script beyond Latin or a symbol, and no further joiner on its right.
func joins(last rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	return joinable(last) && !joiner(next)
}

func joinable(r rune) bool {
	return r >= 0x0300 && r != replacement && unicode.In(r, unicode.L, unicode.M, unicode.S)
}
