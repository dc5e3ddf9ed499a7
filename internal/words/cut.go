package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line puts a text on one line: each run of white space becomes one space, and none is left at
// the ends.
func Line(text string) string { return strings.Join(strings.Fields(text), " ") }

// FirstLine is the first line that is not blank, without surrounding white space; empty if there
// is none.
func FirstLine(text string) string {
	text = strings.TrimSpace(text)
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		text = strings.TrimSpace(text[:end])
	}
	return text
}

// LastLine is the last line that is not blank, without surrounding white space; empty if there
// is none. A carriage return ends a line too: programs draw progress with it.
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexAny(text, "\r\n")+1:])
}

// LastSaid is the last line that says something: that has a letter or a digit, as a bullet that is
// just being written, a rule or a fence has not. Empty if there is none.
func LastSaid(text string) string {
	for line := LastLine(text); line != ""; line = LastLine(text) {
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return line
		}
		text = text[:strings.LastIndex(text, line)]
	}
	return ""
}

// Cut shortens a text to at most n runes of valid UTF-8. If it was longer, the last of the n is
// an ellipsis, with no white space before it. The result is empty if n is below one.
func Cut(text string, n int) string {
	short := First(text, n)
	if len(short) < len(text) && n > 0 {
		short = strings.TrimRightFunc(First(text, n-1), unicode.IsSpace) + "…"
	}
	return strings.ToValidUTF8(short, "\uFFFD")
}

// CutLine is Cut of Line. It reads no more of a long text than it needs.
func CutLine(text string, n int) string {
	var line strings.Builder
	runes := 0
	for word := range strings.FieldsSeq(text) {
		if runes > 0 {
			line.WriteByte(' ')
			runes++
		}
		line.WriteString(First(word, n+1))
		if runes += utf8.RuneCountInString(First(word, n+1)); runes > n {
			break
		}
	}
	return Cut(line.String(), n)
}

// CutBytes is Cut with n in bytes: no rune is split, and the ellipsis takes three bytes. If n
// leaves no room for it, the text is cut without one.
func CutBytes(text string, n int) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= n {
		return text
	}
	mark := "…"
	if n < len(mark) {
		mark = ""
	}
	end := max(0, n-len(mark))
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}

// First is the first n runes of a text as they are, or all of it. A byte that is not
// UTF-8 counts as one.
func First(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for i := range text {
		if n <= 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// Last is the last n runes of a text as they are, or all of it. A byte that is not UTF-8
// counts as one.
func Last(text string, n int) string {
	at := len(text)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return text[at:]
}
