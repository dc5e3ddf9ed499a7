package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fence is the opening fence of a code block; an empty mark means that none is open.
type fence struct {
	mark   string // three or more backticks or tildes
	column int    // its column
	item   bool   // after a list marker: the code ends with the item at the latest
}

// fenceOf is the fence that a line opens.
func fenceOf(line string) fence {
	var f fence
	for {
		body := strings.TrimLeft(line[f.column:], " ")
		before := len(line) - f.column - len(body)
		if before > 3 {
			return fence{}
		}
		f.column += before
		if f.mark = tickMark(body); f.mark != "" {
			return f
		}
		n := itemMark(body)
		if n == 0 {
			return fence{}
		}
		f.column, f.item = f.column+n, true
	}
}

// tickMark is the mark of a fence, empty if there is none. Backticks followed by another one are
// inline code.
func tickMark(body string) string {
	if body == "" || body[0] != '`' && body[0] != '~' {
		return ""
	}
	n := len(body) - len(strings.TrimLeft(body, body[:1]))
	if n < 3 || body[0] == '`' && strings.Contains(body[n:], "`") {
		return ""
	}
	return body[:n]
}

// itemMark is the length of a list marker that is followed by text, its space included; 0 if
// there is none.
func itemMark(body string) int {
	rest, marks := strings.TrimLeft(body, "0123456789"), "-*+"
	if len(rest) < len(body) {
		marks = ".)"
	}
	if len(rest) < 2 || rest[1] != ' ' || !strings.Contains(marks, rest[:1]) {
		return 0
	}
	return len(body) - len(rest) + 2
}

// holds reports whether a line belongs to the open code block, as code or as its end.
func (f fence) holds(line string) bool {
	if !f.item {
		return f.mark != ""
	}
	body := strings.TrimLeft(line, " \t\r\n")
	if body == "" {
		return true
	}
	before := line[:len(line)-len(body)]
	return len(before)+3*strings.Count(before, "\t") >= f.column
}

// unsure reports whether it is unclear if a line belongs to the block: an indented fence may be
// part of an item that began above it. It then ends with the item, at a line that is less
// indented, and its end may be indented further than that of a fence outside of an item.
func (f fence) unsure(line string) bool {
	if f.mark == "" || f.item || f.column == 0 {
		return false
	}
	body := strings.TrimLeft(line, " \t\r")
	return body != "" && len(line)-len(body) < f.column || f.ends(line, f.column+3) && !f.closes(line)
}

// closes reports whether a line of the block ends it.
func (f fence) closes(line string) bool {
	if f.item {
		return f.ends(line, f.column+3)
	}
	return f.ends(line, 3)
}

// ends reports whether a line is the same mark or a longer one, at most so far indented, and
// nothing after it.
func (f fence) ends(line string, indent int) bool {
	body := strings.TrimLeft(line, " ")
	return strings.HasPrefix(body, f.mark) && len(line)-len(body) <= indent && strings.TrimSpace(body) == tickMark(body)
}

// after is the open fence after one more line.
func (f fence) after(line string) fence {
	switch {
	case !f.holds(line):
		return fenceOf(line)
	case f.closes(line):
		return fence{}
	}
	return f
}

// openFence is the fence that is open after a text, and where its line begins, -1 for none.
func openFence(text string) (start int, open fence) {
	start = -1
	at := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		held := open.holds(line)
		if open = open.after(line); open.mark == "" {
			start = -1
		} else if !held {
			start = at
		}
		at += len(line) + 1
	}
	return start, open
}

// stable is how much of a growing answer is final: up to the last blank line outside of a fence
// that is not followed by something indented or a list, nor by what may be the next term after a
// definition, and before a line that may or may not belong to a fence. It is a byte offset at or
// after from, which is stable itself.
func stable(text string, from int) int {
	sure, end, blankBefore, defined := from, from, false, false
	var open fence
	for i := from; i < len(text); {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			break // an unfinished line
		}
		line := text[i : i+n]
		if open.unsure(line) {
			break
		}
		switch {
		case open.holds(line):
		case strings.Trim(strings.TrimSuffix(line, "\r"), " \t") == "":
			blankBefore, end = true, i+n+1
		default:
			if blankBefore && !continues(line) {
				if !defined {
					sure = end
				}
				defined = false
			}
			blankBefore, defined = false, defined || marked(strings.TrimLeft(line, " "), ":")
		}
		open = open.after(line)
		i += n + 1
	}
	return sure
}

// continues reports whether a line after a blank one may belong to what precedes it: it is
// indented, a list item, or a definition.
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

// marked reports whether a line begins with one of some marks, followed by a space or nothing.
func marked(line, marks string) bool {
	if line == "" || !strings.Contains(marks, line[:1]) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(line[1:])
	return line[1:] == "" || unicode.IsSpace(next)
}
