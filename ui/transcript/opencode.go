package transcript

import (
	"strings"

	xansi "github.com/charmbracelet/x/ansi"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/markdown"
)

// openCode is a code block that is still being written: each line is drawn once, when nothing
// that follows can change it.
type openCode struct {
	head  codeHead
	of    string // the code that is final
	fixed []draw.Styled
}

// codeHead is the beginning of a code block.
type codeHead struct {
	lead     draw.Styled // before its first line; the others are indented as much
	column   int         // column of its fence in the text
	language string
}

// unsettled limits how much code, in bytes, is drawn again with each frame.
const unsettled = 4 << 10

// appendTo adds the lines of code after the line of its fence. A long comment or string is
// finalised in pieces too, so that it costs no more than other lines: until the fence is closed
// its middle may look like code.
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

// outdented removes up to this many leading spaces from each line.
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

// afterLines is the offset after this many lines of a text.
func afterLines(text string, lines int) int {
	at := 0
	for range lines {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	return at
}
