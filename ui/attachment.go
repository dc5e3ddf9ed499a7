package ui

import (
	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// attachedLines is how many attachments a message shows while details are folded.
const attachedLines = 5

// renderAttached draws what came with a message, a line each: what it is, or why the
// model does not have it.
func renderAttached(c canvas, all []lifecycle.Attachment) []styled {
	var lines []styled
	for i, one := range all {
		if i == attachedLines-1 && len(all) > attachedLines && !c.details {
			return append(lines, c.theme.faint.draw(say("%s %d more (ctrl+o)", c.glyphs.more, len(all)-i)))
		}
		if one.Left {
			why := c.narrow(2).brief(c.theme.warn, say("not attached: %s", one.Note))
			lines = append(lines, hang(c.theme.warn.draw(c.glyphs.denied+" "), why)...)
			continue
		}
		note := c.theme.faint.draw("  " + sanitize.Line(one.Note))
		name := c.tail(one.Name, nil, c.theme.dim, c.width-cells(note)-2)
		lines = append(lines, c.theme.faint.draw(c.glyphs.attached+" ")+name+note)
	}
	return lines
}
