package ui

import (
	"strings"
	"unicode"

	"pawl/agent/sanitize"
)

// renderedOpen is how long the unfinished end of an answer may be to be rendered
// again with each of its lines: some screens of prose. Longer ones, a list of
// hundreds, are drawn plain until they end; code goes on as it began.
const renderedOpen = 16 << 10

// renderOpen draws the end of an answer that is still being written, so that as
// little as can be moves when it is finished: whole lines as they will be drawn, code
// in an open fence where it will stand, a row of a table once it is there.
func (d *drawn) renderOpen(c canvas, text string) []styled {
	at := strings.LastIndexByte(text, '\n') + 1
	whole, rest := text[:at], text[at:]
	start, open := openFence(whole)
	if start < 0 && len(whole) > renderedOpen || start > renderedOpen {
		lines := d.renderPlain(c, whole)
		if strings.TrimSpace(rest) == "" {
			return lines
		}
		return append(lines, c.plainly(rest)...)
	}
	if start >= 0 {
		head, code, _ := strings.Cut(whole[start:], "\n")
		mark := open.column + len(open.mark)
		lines := d.renderWhole(c, whole[:start]+head[:mark]+"\n"+strings.Repeat(" ", open.column)+"x")
		above, lead := led(lines)
		begun := codeHead{lead, open.column, strings.TrimSpace(head[mark:])}
		if !open.holds(rest) {
			return append(d.code.appendTo(above, c, begun, code), c.growing(rest)...)
		}
		return d.code.appendTo(above, c, begun, code+unlessMark(rest, open.mark[:1]))
	}
	if strings.HasPrefix(rest, "|") {
		rest = ""
	}
	lines := d.renderWhole(c, withoutLoneRow(whole))
	rest = unlessMark(unlessMark(rest, "`"), "~")
	if strings.TrimSpace(rest) == "" {
		return lines
	}
	if strings.HasSuffix(whole, "\n\n") {
		lines = setApart(lines)
	}
	return append(lines, c.growing(rest)...)
}

// renderWhole renders lines that are finished, and keeps them for as long as no
// other has come.
func (d *drawn) renderWhole(c canvas, text string) []styled {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	if d.openOf != text || d.open == nil || d.plain {
		d.openOf, d.plain = text, false
		d.open = c.finished(indented(c.markdown.render(sanitize.Clean(text), c.narrow(2).width)), text)
	}
	return d.open[:len(d.open):len(d.open)]
}

// led parts the lines above an open block of code, whose code is one letter so far, from
// what stands before that.
func led(lines []styled) (above []styled, lead styled) {
	n := len(lines) - 1
	if n < 0 {
		return nil, ""
	}
	room := max(0, cells(lines[n])-len("  x"))
	if lead = fit(lines[n], room); blank(string(lead)) {
		lead = pad("", room)
	}
	return lines[:n:n], lead
}

// renderPlain draws lines that are finished as they were written, each once.
func (d *drawn) renderPlain(c canvas, text string) []styled {
	if d.open == nil || !d.plain || !strings.HasPrefix(text, d.openOf) {
		d.open, d.openOf, d.plain = []styled{}, "", true
	}
	if more := text[len(d.openOf):]; more != "" {
		d.open, d.openOf = append(d.open, c.plainly(strings.TrimSuffix(more, "\n"))...), text
	}
	return d.open[:len(d.open):len(d.open)]
}

// plainly draws a piece of an answer as it was written.
func (c canvas) plainly(text string) []styled {
	return c.finished(indented(c.narrow(2).paragraph(c.theme.text, sanitize.Clean(text))), text)
}

// unlessMark is an unfinished line, or nothing where it may become a fence.
func unlessMark(line, mark string) string {
	if body := strings.TrimLeft(line, " "); strings.HasPrefix(body, mark) && strings.HasPrefix(body, strings.Repeat(mark, min(3, len(strings.TrimRight(body, " "))))) {
		return ""
	}
	return line
}

// withoutLoneRow takes the head of a table off that has nothing below it: only the
// next line makes it one.
func withoutLoneRow(text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	n := len(lines)
	if strings.HasPrefix(lines[n-1], "|") && (n == 1 || !strings.HasPrefix(lines[n-2], "|")) {
		return strings.Join(lines[:n-1], "")
	}
	return text
}

// growing draws a line that is still being written: an item of a list with the sign
// that it will have, and below its beginning.
func (c canvas) growing(line string) []styled {
	body := strings.TrimLeft(line, " ")
	room := len(line) - len(body)
	n := itemMark(body)
	if n == 0 {
		return c.plainly(line)
	}
	mark := sanitize.Line(body[:n])
	if strings.ContainsAny(body[:1], "-*+") {
		mark = c.markdown.signs.Bullet + " "
	}
	lines := c.narrow(2+room+n).paragraph(c.theme.text, sanitize.Clean(body[n:]))
	return c.finished(indentedBy(2+room, hang(c.theme.text.draw(mark), lines)), line)
}

// setApart adds a blank line, unless there is nothing above it.
func setApart(lines []styled) []styled {
	if len(lines) == 0 {
		return nil
	}
	return append(lines, "")
}
