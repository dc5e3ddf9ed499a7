package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fenceOf is the mark that opens or closes a block of code: three or more
// backticks or tildes, empty for any other line. Backticks with another one behind
// them are code between words.
func fenceOf(line string) string {
	body := strings.TrimLeft(line, " ")
	if len(line)-len(body) > 3 || body == "" || body[0] != '`' && body[0] != '~' {
		return ""
	}
	n := len(body) - len(strings.TrimLeft(body, body[:1]))
	if n < 3 || body[0] == '`' && strings.Contains(body[n:], "`") {
		return ""
	}
	return body[:n]
}

// closes reports whether a line ends a block of code that this mark opened: the
// same mark or a longer one, and nothing behind it.
func closes(line, open string) bool {
	mark := fenceOf(line)
	return strings.HasPrefix(mark, open) && strings.TrimSpace(line) == mark
}

// stable is how much of an open answer will not change its look any more: up to
// the last blank line outside of a fence that nothing indented, and no list,
// goes on after. It is a byte offset at or after from, which is itself stable.
func stable(text string, from int) int {
	open, end, sure := "", from, from
	blankBefore := false
	for i := from; i < len(text); {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			break // an unfinished line
		}
		line := text[i : i+n]
		switch {
		case open == "" && strings.Trim(strings.TrimSuffix(line, "\r"), " \t") == "":
			blankBefore, end = true, i+n+1
		case open != "" && closes(line, open):
			open = ""
		case open == "":
			if blankBefore && !continues(line) {
				sure = end
			}
			blankBefore = false
			open = fenceOf(line)
		}
		i += n + 1
	}
	return sure
}

// continues reports whether a line after a blank one may belong to what stands
// before it: it is indented, an item of a list itself, or what a term means.
func continues(line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	if unicode.IsSpace(first) {
		return true
	}
	rest := strings.TrimLeft(line, "0123456789")
	if len(rest) < len(line) {
		return marked(rest, ".)")
	}
	return marked(line, "-*+:")
}

// marked reports whether a line begins with one of some marks, and nothing or a
// space behind it.
func marked(line, marks string) bool {
	if line == "" || !strings.Contains(marks, line[:1]) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(line[1:])
	return line[1:] == "" || unicode.IsSpace(next)
}
