package ui

import "strings"

// fenceOf is the mark that opens or closes a block of code: three or more
// backticks or tildes, empty for any other line.
func fenceOf(line string) string {
	body := strings.TrimLeft(line, " ")
	if len(line)-len(body) > 3 || body == "" || body[0] != '`' && body[0] != '~' {
		return ""
	}
	n := len(body) - len(strings.TrimLeft(body, body[:1]))
	if n < 3 {
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
		case open == "" && strings.TrimSpace(line) == "":
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

// continues reports whether a line after a blank one may belong to the list
// before it: it is indented, or an item itself.
func continues(line string) bool {
	if line[0] == ' ' || line[0] == '\t' {
		return true
	}
	digits := strings.TrimLeft(line, "0123456789")
	if len(digits) < len(line) {
		return strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")
	}
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "+ ")
}
