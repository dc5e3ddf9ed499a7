package transcript

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// fence is what opened a block of code; nothing is open where it has no mark.
type fence struct {
	mark   string // three or more backticks or tildes
	column int    // where that stands in its line
	item   bool   // behind the mark of a list's item, with which the code ends at the latest
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

// tickMark is what a fence begins with, empty where there is none. Backticks with
// another one behind them are code between words.
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

// itemMark is how long the mark of a list's item is that something stands behind, its
// space included; 0 where there is none.
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

// holds reports whether a line belongs to the open block of code, as code or as the
// mark of its end.
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

// unsure reports whether a line may or may not belong to the block: an indented fence
// may be part of an item that began above it, and then ends where the item does, at
// a line that is not indented as far.
func (f fence) unsure(line string) bool {
	body := strings.TrimLeft(line, " \t\r")
	return f.mark != "" && !f.item && f.column > 0 && body != "" && len(line)-len(body) < f.column
}

// closes reports whether a line that it holds ends the block: the same mark or a
// longer one, and nothing behind it.
func (f fence) closes(line string) bool {
	body := strings.TrimLeft(line, " ")
	if !strings.HasPrefix(body, f.mark) {
		return false
	}
	mark := tickMark(body)
	return len(line)-len(body) <= f.column+3 && strings.TrimSpace(body) == mark
}

// after is what is open behind one more line.
func (f fence) after(line string) fence {
	switch {
	case !f.holds(line):
		return fenceOf(line)
	case f.closes(line):
		return fence{}
	}
	return f
}

// openFence is what is open behind a text, and where its line begins, -1 for nothing.
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

// stable is how much of an open answer will not change its look any more: up to
// the last blank line outside of a fence that nothing indented, and no list,
// goes on after, and before a line that may belong to one or not. It is a byte offset
// at or after from, which is itself stable.
func stable(text string, from int) int {
	sure, end, blankBefore := from, from, false
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
				sure = end
			}
			blankBefore = false
		}
		open = open.after(line)
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
