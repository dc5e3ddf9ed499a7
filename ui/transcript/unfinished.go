package transcript

import (
	"strings"
	"unicode"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// RenderedOpen is how long the unfinished end of an answer may be, in bytes, to be rendered
// again with each of its lines: some screens of prose. Longer ones, such as a list of hundreds
// of items, are drawn plain until they end; code is not affected.
const RenderedOpen = 16 << 10

// renderOpen draws the end of an answer that is still being written, so that little moves when
// it is finished: whole lines as they will be drawn, code in an open fence in its place, table
// rows once they are complete.
func (d *drawn) renderOpen(c draw.Canvas, text string) []draw.Styled {
	at := strings.LastIndexByte(text, '\n') + 1
	whole, rest := text[:at], text[at:]
	start, open := openFence(whole)
	if start < 0 && len(whole) > RenderedOpen || start > RenderedOpen {
		lines := d.renderPlain(c, whole)
		if strings.TrimSpace(rest) == "" {
			return lines
		}
		return append(lines, plainly(c, rest)...)
	}
	if start >= 0 {
		head, code, _ := strings.Cut(whole[start:], "\n")
		mark := open.column + len(open.mark)
		lines := d.renderWhole(c, whole[:start]+head[:mark]+"\n"+strings.Repeat(" ", open.column)+"x")
		above, lead := led(lines)
		begun := codeHead{lead, open.column, strings.TrimSpace(head[mark:])}
		if !open.holds(rest) {
			return append(d.code.appendTo(above, c, begun, code), growing(c, rest)...)
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
	return append(lines, growing(c, rest)...)
}

// renderWhole renders finished lines and keeps them until another one comes.
func (d *drawn) renderWhole(c draw.Canvas, text string) []draw.Styled {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	if d.openOf != text || d.open == nil || d.plain {
		d.openOf, d.plain = text, false
		d.open = c.Finish(draw.Indent(c.Markdown.Render(sanitize.Clean(text), c.Narrow(2).Width)), text)
	}
	return d.open[:len(d.open):len(d.open)]
}

// led separates the lines above an open code block, whose code so far is one letter, from what
// precedes the code on its line.
func led(lines []draw.Styled) (above []draw.Styled, lead draw.Styled) {
	n := len(lines) - 1
	if n < 0 {
		return nil, ""
	}
	room := max(0, draw.Cells(lines[n])-len("  x"))
	if lead = draw.Fit(lines[n], room); draw.Blank(string(lead)) {
		lead = draw.Pad("", room)
	}
	return lines[:n:n], lead
}

// renderPlain draws finished lines as they were written, each once.
func (d *drawn) renderPlain(c draw.Canvas, text string) []draw.Styled {
	if d.open == nil || !d.plain || !strings.HasPrefix(text, d.openOf) {
		d.open, d.openOf, d.plain = []draw.Styled{}, "", true
	}
	if more := text[len(d.openOf):]; more != "" {
		d.open, d.openOf = append(d.open, plainly(c, strings.TrimSuffix(more, "\n"))...), text
	}
	return d.open[:len(d.open):len(d.open)]
}

// plainly draws a part of an answer as it was written.
func plainly(c draw.Canvas, text string) []draw.Styled {
	return c.Finish(draw.Indent(c.Narrow(2).Prose().Paragraph(c.Theme.Text, sanitize.Clean(text))), text)
}

// unlessMark is an unfinished line, or empty if it may become a fence.
func unlessMark(line, mark string) string {
	if body := strings.TrimLeft(line, " "); strings.HasPrefix(body, mark) && strings.HasPrefix(body, strings.Repeat(mark, min(3, len(strings.TrimRight(body, " "))))) {
		return ""
	}
	return line
}

// withoutLoneRow removes a table's head with nothing below it: only the next line makes it one.
func withoutLoneRow(text string) string {
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	n := len(lines)
	if strings.HasPrefix(lines[n-1], "|") && (n == 1 || !strings.HasPrefix(lines[n-2], "|")) {
		return strings.Join(lines[:n-1], "")
	}
	return text
}

// growing draws a line that is still being written: a list item with its final sign and
// indentation.
func growing(c draw.Canvas, line string) []draw.Styled {
	body := strings.TrimLeft(line, " ")
	room := len(line) - len(body)
	n := itemMark(body)
	if n == 0 {
		return plainly(c, line)
	}
	mark := sanitize.Line(body[:n])
	if strings.ContainsAny(body[:1], "-*+") {
		mark = c.Markdown.Signs.Bullet + " "
	}
	lines := c.Narrow(2).Prose().Narrow(room+n).Paragraph(c.Theme.Text, sanitize.Clean(body[n:]))
	return c.Finish(draw.IndentBy(2+room, draw.Hang(c.Theme.Text.Draw(mark), lines)), line)
}

// setApart adds a blank line unless there is nothing above.
func setApart(lines []draw.Styled) []draw.Styled {
	if len(lines) == 0 {
		return nil
	}
	return append(lines, "")
}
