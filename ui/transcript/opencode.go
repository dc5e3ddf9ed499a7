package transcript

import (
	"strings"

	xansi "github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/markdown"
)

// openCode is the picture of a block of code that is still being written: each of its
// lines is drawn once, when nothing that follows can change it.
type openCode struct {
	head  codeHead
	of    string // the code that is drawn for good
	fixed []draw.Styled
}

// codeHead is how a block of code begins.
type codeHead struct {
	lead     draw.Styled // before its first line; before the others as much room
	column   int         // of its fence, in the text
	language string
}

// unsettled is how much code, in bytes, is drawn again with each frame, at most.
const unsettled = 4 << 10

// appendTo adds the lines of code behind the line of its fence. A comment or a string
// that does not end is drawn for good in pieces too, so that it costs no more than
// other lines: what stands in its middle may look like code until the fence is closed.
func (o *openCode) appendTo(lines []draw.Styled, c draw.Canvas, head codeHead, code string) []draw.Styled {
	if o.head != head || !strings.HasPrefix(code, o.of) {
		*o = openCode{head: head}
	}
	more := code[len(o.of):]
	drawn, settled, whole := o.draw(c, more)
	kept := afterLines(more, whole)
	if cut := strings.LastIndexByte(more, '\n') + 1; cut > kept && len(more)-kept > unsettled {
		drawn, _, _ = o.draw(c, more[:cut])
		o.fixed, o.of = append(o.fixed, drawn[:len(drawn)-1]...), code[:len(o.of)+cut]
		return o.appendTo(lines, c, head, code)
	}
	o.fixed, o.of = append(o.fixed, drawn[:settled]...), code[:len(o.of)+kept]
	all := append(append(lines, o.fixed...), drawn[settled:]...)
	for len(all) > 0 && draw.Blank(string(all[len(all)-1])) {
		all = all[:len(all)-1]
	}
	return all
}

// draw draws a piece of the code: see markdown.Open.
func (o *openCode) draw(c draw.Canvas, code string) (lines []draw.Styled, settled, whole int) {
	room := draw.Cells(o.head.lead)
	open, settled, whole := markdown.Open(outdented(sanitize.Clean(code), o.head.column), o.head.language, c.Narrow(room).Width, c.Markdown.Signs)
	lines = draw.IndentBy(room, c.Markdown.Lines(open))
	if o.of == "" && len(lines) > 0 && !draw.Blank(string(o.head.lead)) {
		lines[0] = draw.Fit(o.head.lead, draw.Cells(strings.TrimRight(xansi.Strip(string(o.head.lead)), " ")))
		if first := c.Markdown.Line(open[0]); first != "" {
			lines[0] = o.head.lead + first
		}
	}
	return c.Finish(lines, code), settled, whole
}

// outdented takes up to so many spaces off the beginning of each line.
func outdented(t sanitize.Text, spaces int) sanitize.Text {
	if spaces == 0 {
		return t
	}
	lines := t.Lines()
	for i, line := range lines {
		before := len(line) - len(strings.TrimLeft(string(line), " "))
		lines[i] = line[min(spaces, before):]
	}
	return sanitize.Text(draw.JoinLines(lines))
}

// afterLines is the place behind so many lines of a text.
func afterLines(text string, lines int) int {
	at := 0
	for range lines {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	return at
}
