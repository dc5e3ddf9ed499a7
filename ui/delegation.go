package ui

import (
	"cmp"
	"strings"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// renderDelegation draws an agent call where it stands in the conversation: the
// card of each run that the call started, and what came of it.
func renderDelegation(c canvas, b *block, runs []cardRun) []styled {
	var lines []styled
	for _, r := range runs {
		lines = append(lines, r.heading(c))
		lines = append(lines, indented(r.outcome(c.narrow(2)))...)
		lines = append(lines, indented(r.worktree(c.narrow(2)))...)
	}
	if b.note != "" {
		lines = append(lines, "  "+c.theme.dim.draw(sanitize.Line(b.note)))
	}
	return lines
}

// heading is the card's line in the conversation. Where it is too long, its type goes
// first, then its figures, then the word for what its sign says already.
func (r cardRun) heading(c canvas) styled {
	sign := r.sign(c)
	bare := sign + c.theme.strong.draw(name(r.run))
	full := bare
	if r.run.Type != "" {
		full = sign + c.theme.dim.draw(sanitize.Line(r.run.Type)) + " " + c.theme.strong.draw(name(r.run))
	}
	place := r.standing(c)
	more := place
	if !r.run.State.Terminal() && r.run.Background {
		more = c.joined(more, c.theme.dim.draw("background"))
	}
	if r.run.Isolation == lifecycle.IsolationProcess {
		more = c.joined(more, c.theme.dim.draw("own process"))
	}
	more = c.joined(more, r.branch(c))
	marks := r.marks(c)
	for _, parts := range [][]styled{
		{full, more, r.figures(c), c.joined(marks...)},
		{bare, more, r.figures(c), c.joined(marks...)},
		{bare, place, r.figures(c), c.joined(marks...)},
		{bare, place, c.joined(marks...)},
		{c.cutStyled(bare, max(8, c.width-cells(c.joined(place, c.joined(marks...)))-3)), place, c.joined(marks...)},
		{bare, c.joined(marks...)},
	} {
		if line := c.joined(parts...); cells(line) <= c.width {
			return line
		}
	}
	if len(marks) == 0 {
		return c.cutStyled(bare, c.width)
	}
	most := c.cutStyled(marks[0], c.width/2)
	return c.joined(c.cutStyled(bare, c.width-cells(most)-3), most)
}

// outcome is what stands below a card once it has ended: the first line of what
// it said; all of it, and what it was asked, when details are open.
func (r cardRun) outcome(c canvas) []styled {
	switch {
	case c.shut:
		return nil
	case c.details:
		var lines []styled
		if all := sanitize.Line(r.run.Description); cells(all) > longName {
			lines = append(lines, c.paragraph(c.theme.dim, all)...)
		}
		if prompt := strings.TrimSpace(cmp.Or(r.run.Prompt, r.run.Command)); prompt != "" {
			lines = append(lines, c.clip(c.paragraph(c.theme.faint, sanitize.Clean(prompt)), 0)...)
		}
		if text := strings.TrimSpace(r.run.Output()); text != "" {
			lines = append(lines, c.clip(c.paragraph(c.theme.dim, sanitize.Clean(text)), 0)...)
			return lines
		}
		return append(lines, c.theme.dim.draw(c.cutWords(r.activity(c), c.width)))
	case !r.run.State.Terminal():
		return nil // the pinned card says it
	}
	if words := r.activity(c); words != "" && words != standing(r.run) { // those stand right above
		return []styled{c.theme.dim.draw(c.cutWords(words, c.width))}
	}
	return nil
}
