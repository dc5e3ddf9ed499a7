package transcript

import (
	"cmp"
	"strings"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// renderDelegation draws an agent call in the conversation: the card of each run that it
// started, and the result.
func renderDelegation(c draw.Canvas, b *Block, runs []Card) []draw.Styled {
	var lines []draw.Styled
	for _, r := range runs {
		lines = append(lines, r.heading(c))
		lines = append(lines, draw.Indent(r.outcome(c.Narrow(2)))...)
		lines = append(lines, draw.Indent(r.worktree(c.Narrow(2)))...)
	}
	if b.note != "" {
		lines = append(lines, "  "+c.Theme.Dim.Draw(sanitize.Line(b.note)))
	}
	return lines
}

// heading is the card's line in the conversation. What its line above the composer says is not
// said here again: the figures while it works, and who has read of its end. If it is too long its
// type is dropped first, then its figures, then the word for what its sign shows already.
func (r Card) heading(c draw.Canvas) draw.Styled {
	sign := r.Sign(c)
	bare := sign + c.Theme.Strong.Draw(wording.Name(r.Run))
	full := bare
	if r.Run.Type != "" {
		full = sign + c.Theme.Dim.Draw(sanitize.Line(r.Run.Type)) + " " + c.Theme.Strong.Draw(wording.Name(r.Run))
	}
	place := r.Standing(c)
	more := place
	if !r.Run.State.Terminal() && r.Run.Background {
		more = c.Join(more, c.Theme.Dim.Draw("background"))
	}
	if r.Run.Isolation == lifecycle.IsolationProcess {
		more = c.Join(more, c.Theme.Dim.Draw("own process"))
	}
	if where := r.where(); where != "" {
		more = c.Join(more, c.Theme.Dim.Draw(where[1:]))
	}
	more = c.Join(more, r.branch(c))
	var figures draw.Styled
	if r.Run.State.Terminal() {
		figures = r.Figures(c)
	}
	marks := r.warnings(c)
	for _, parts := range [][]draw.Styled{
		{full, more, figures, c.Join(marks...)},
		{bare, more, figures, c.Join(marks...)},
		{bare, place, figures, c.Join(marks...)},
		{bare, place, c.Join(marks...)},
		{c.CutStyled(bare, max(8, c.Width-draw.Cells(c.Join(place, c.Join(marks...)))-3)), place, c.Join(marks...)},
		{bare, c.Join(marks...)},
	} {
		if line := c.Join(parts...); draw.Cells(line) <= c.Width {
			return line
		}
	}
	if len(marks) == 0 {
		return c.CutStyled(bare, c.Width)
	}
	most := c.CutStyled(marks[0], c.Width/2)
	return c.Join(c.CutStyled(bare, c.Width-draw.Cells(most)-3), most)
}

// outcome is what follows a card that has ended: the first line of its answer; with details all
// of it, and its prompt.
func (r Card) outcome(c draw.Canvas) []draw.Styled {
	switch {
	case c.Shut:
		return nil
	case c.Details:
		var lines []draw.Styled
		if all := sanitize.Line(r.Run.Description); draw.Cells(all) > wording.NameCells {
			lines = append(lines, c.Paragraph(c.Theme.Dim, all)...)
		}
		if prompt := strings.TrimSpace(cmp.Or(r.Run.Prompt, r.Run.Command)); prompt != "" {
			lines = append(lines, clip(c, c.Paragraph(c.Theme.Faint, sanitize.Clean(prompt)), 0)...)
		}
		if text := strings.TrimSpace(r.Run.Output()); text != "" {
			lines = append(lines, clip(c, c.Paragraph(c.Theme.Dim, sanitize.Clean(text)), 0)...)
			return lines
		}
		return append(lines, c.Theme.Dim.Draw(c.CutWords(r.Activity(c), c.Width)))
	case !r.Run.State.Terminal():
		return nil // the pinned card shows it
	}
	if words := r.Activity(c); words != "" && words != wording.Standing(r.Run) { // those are on the line above
		return []draw.Styled{c.Theme.Dim.Draw(c.CutWords(words, c.Width))}
	}
	return nil
}
