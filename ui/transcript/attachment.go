package transcript

import (
	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// attachedLines is how many attachments a message shows while details are hidden.
const attachedLines = 5

// notAttached says what became of one that the model was not given.
func notAttached(one lifecycle.Attachment) sanitize.Text {
	if one.Command {
		return draw.Sprintf("%s was not carried out", sanitize.Line(one.Name))
	}
	return "not attached"
}

// renderAttached draws the attachments of a message, one line each: what it is, or why the model
// does not have it.
func renderAttached(c draw.Canvas, all []lifecycle.Attachment) []draw.Styled {
	var lines []draw.Styled
	for i, one := range all {
		if i == attachedLines-1 && len(all) > attachedLines && !c.Details {
			return append(lines, c.Theme.Faint.Draw(draw.Sprintf("%s %d more (ctrl+o)", c.Glyphs.More, len(all)-i)))
		}
		if one.Left {
			why := c.Narrow(2).Brief(c.Theme.Warn, draw.Sprintf("%s: %s", notAttached(one), one.Note))
			lines = append(lines, draw.Hang(c.Theme.Warn.Draw(c.Glyphs.Denied+" "), why)...)
			continue
		}
		if one.Command { // its name leads, and what became of it may take lines
			says := c.Narrow(2).Brief(c.Theme.Faint, draw.Sprintf("%s  %s", sanitize.Line(one.Name), one.Note))
			lines = append(lines, draw.Hang(c.Theme.Faint.Draw(c.Glyphs.Attached+" "), says)...)
			continue
		}
		note := c.Theme.Faint.Draw("  " + sanitize.Line(one.Note))
		name := c.Tail(one.Name, nil, c.Theme.Dim, c.Width-draw.Cells(note)-2)
		lines = append(lines, c.Theme.Faint.Draw(c.Glyphs.Attached+" ")+name+note)
	}
	return lines
}
