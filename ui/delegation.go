package ui

import (
	"cmp"
	"strings"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// renderDelegation draws an agent call where it stands in the conversation: the
// card of each run that the call started, and what came of it.
func renderDelegation(c draw.Canvas, b *block, runs []cardRun) []draw.Styled {
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

// heading is the card's line in the conversation. Where it is too long, its type goes
// first, then its figures, then the word for what its sign says already.
func (r cardRun) heading(c draw.Canvas) draw.Styled {
	sign := r.sign(c)
	bare := sign + c.Theme.Strong.Draw(wording.Name(r.run))
	full := bare
	if r.run.Type != "" {
		full = sign + c.Theme.Dim.Draw(sanitize.Line(r.run.Type)) + " " + c.Theme.Strong.Draw(wording.Name(r.run))
	}
	place := r.standing(c)
	more := place
	if !r.run.State.Terminal() && r.run.Background {
		more = c.Join(more, c.Theme.Dim.Draw("background"))
	}
	if r.run.Isolation == lifecycle.IsolationProcess {
		more = c.Join(more, c.Theme.Dim.Draw("own process"))
	}
	more = c.Join(more, r.branch(c))
	marks := r.marks(c)
	for _, parts := range [][]draw.Styled{
		{full, more, r.figures(c), c.Join(marks...)},
		{bare, more, r.figures(c), c.Join(marks...)},
		{bare, place, r.figures(c), c.Join(marks...)},
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

// outcome is what stands below a card once it has ended: the first line of what
// it said; all of it, and what it was asked, when details are open.
func (r cardRun) outcome(c draw.Canvas) []draw.Styled {
	switch {
	case c.Shut:
		return nil
	case c.Details:
		var lines []draw.Styled
		if all := sanitize.Line(r.run.Description); draw.Cells(all) > wording.NameCells {
			lines = append(lines, c.Paragraph(c.Theme.Dim, all)...)
		}
		if prompt := strings.TrimSpace(cmp.Or(r.run.Prompt, r.run.Command)); prompt != "" {
			lines = append(lines, clip(c, c.Paragraph(c.Theme.Faint, sanitize.Clean(prompt)), 0)...)
		}
		if text := strings.TrimSpace(r.run.Output()); text != "" {
			lines = append(lines, clip(c, c.Paragraph(c.Theme.Dim, sanitize.Clean(text)), 0)...)
			return lines
		}
		return append(lines, c.Theme.Dim.Draw(c.CutWords(r.activity(c), c.Width)))
	case !r.run.State.Terminal():
		return nil // the pinned card says it
	}
	if words := r.activity(c); words != "" && words != wording.Standing(r.run) { // those stand right above
		return []draw.Styled{c.Theme.Dim.Draw(c.CutWords(words, c.Width))}
	}
	return nil
}
