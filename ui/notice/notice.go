package notice

import (
	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// Notice is what the line says. Whoever holds it takes it away at the next key, and when what it says
// of a number of background runs is no longer so.
type Notice struct {
	Text       sanitize.Text
	Tone       draw.Tone
	Background int     // the runs that it speaks of; 0 for none
	File       string  // that it says the path of
	Share      float64 // how much is done of what it says goes on; 0: that is not known
}

// Render draws it for a width; nil where it says nothing.
func (n Notice) Render(c draw.Canvas) []draw.Styled {
	inner := c.Narrow(2)
	switch {
	case n.Text == "":
		return nil
	case n.File != "":
		return draw.Indent(n.written(inner))
	case n.Share > 0:
		return draw.Indent([]draw.Styled{n.progress(inner)})
	}
	return draw.Indent(inner.Brief(n.Tone.Paint(c.Theme), n.Text))
}

// written draws where a file was written: the whole path, a link where the terminal takes one, and
// how to copy it.
func (n Notice) written(c draw.Canvas) []draw.Styled {
	const before = "exported to "
	const hint sanitize.Text = "/copy copies the path"
	var drawn []draw.Styled
	for i, line := range draw.Wrap(n.Text, c.Width) {
		lead := sanitize.Text("")
		if i == 0 && len(line) >= len(before) {
			lead, line = line[:len(before)], line[len(before):]
		}
		drawn = append(drawn, c.Theme.Dim.Draw(lead)+c.File(n.File, c.Theme.Dim.Draw(line)))
	}
	last := len(drawn) - 1
	if both := c.Join(drawn[last], c.Theme.Faint.Draw(hint)); draw.Cells(both) <= c.Width {
		drawn[last] = both
		return drawn
	}
	return append(drawn, c.Theme.Faint.Draw(c.Cut(hint, c.Width)))
}

// progress draws how much is done of what goes on.
func (n Notice) progress(c draw.Canvas) draw.Styled {
	share := draw.Sprintf("%d %%", int(100*n.Share))
	width := min(draw.WidestBar, c.Width-draw.Cells(n.Text)-draw.Cells(share)-4)
	return c.Theme.Dim.Draw(n.Text) + "  " + c.Bar(max(0, width), n.Share) + "  " + c.Theme.Dim.Draw(share)
}
