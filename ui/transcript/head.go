package transcript

import (
	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// Head draws the line above the session of the run: its name, how it stands and what it took, as
// much as fits beside what stands at the right.
func (r Card) Head(c draw.Canvas, right draw.Styled) draw.Styled {
	c = c.Content()
	left := c.Theme.Dim.Draw(c.Glyphs.Back) + " " + c.Theme.Strong.Draw(wording.Name(r.Run))
	state := r.Sign(c) + r.Standing(c)
	kind, marks := c.Theme.Dim.Draw(sanitize.Line(r.Run.Type)), c.Join(r.Marks(c)...)
	var line draw.Styled
	for _, parts := range [][]draw.Styled{
		{left, kind, state, r.Figures(c), marks},
		{left, state, r.Figures(c), marks},
		{left, state, marks},
		{left, state},
		{c.CutStyled(left, max(8, c.Width-draw.Cells(state)-draw.Cells(right)-5)), state},
	} {
		if line = c.Join(parts...); draw.Cells(line)+draw.Cells(right)+2 <= c.Width {
			break
		}
	}
	return c.Between(line, right)
}
