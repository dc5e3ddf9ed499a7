package list

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// Dialog is a choice that must be made before anything else.
type Dialog[M any] struct {
	Title   sanitize.Text
	Body    []sanitize.Text
	Choices []Choice[M]
	At      int

	Whole bool      // no line of the body is cut, and all can be scrolled to
	Page  draw.Body // the drawn lines of a whole body
	Read  bool      // its end was visible
	// Informed is the choice for those who have seen all of a whole body: until then it scrolls
	// on. Empty: there is none.
	Informed sanitize.Text
	// Stays: typed text does not close the dialog but goes to the line below, as do letters that
	// follow soon.
	Stays bool
	Since time.Time // when it appeared, if it stays
	Note  sanitize.Text
}

// Safe is the index of the choice that changes nothing.
func (d *Dialog[M]) Safe() int {
	return max(0, slices.IndexFunc(d.Choices, func(c Choice[M]) bool { return c.Do == nil }))
}

// Denies reports whether one of its choices is a no: then the key n chooses it.
func (d *Dialog[M]) Denies() bool {
	return slices.ContainsFunc(d.Choices, func(c Choice[M]) bool { return c.Key == "y" })
}

// Choice is one way to close a dialog; a nil Do just closes it.
type Choice[M any] struct {
	Key, Label sanitize.Text
	Do         func(M) tea.Cmd
}

// Render draws the dialog in at most height lines.
func (d *Dialog[M]) Render(c draw.Canvas, height int) []draw.Styled {
	var lines []draw.Styled
	if d.Whole {
		lines = d.renderWhole(c, height)
	} else {
		lines = append([]draw.Styled{c.Ruled("")}, c.Paragraph(c.Theme.Strong, d.Title)...)
		room := max(0, min(12, height-len(d.Choices)-len(lines)-2))
		for i, line := range d.Body {
			if i >= room-1 && i < len(d.Body)-1 {
				lines = append(lines, "  "+c.Theme.Dim.Draw(draw.Sprintf("and %d more", len(d.Body)-i)))
				break
			}
			lines = append(lines, "  "+c.Theme.Dim.Draw(c.Cut(line, c.Width-2)))
		}
	}
	if height > len(lines)+len(d.Choices) {
		lines = append(lines, "")
	}
	for i, choice := range d.Choices {
		lead, look := draw.Styled("  "), c.Theme.Text
		if i == d.At {
			lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
		}
		lines = append(lines, lead+look.Draw(choice.Label)+c.Theme.Faint.Draw("  "+choice.Key))
	}
	return lines
}

// renderWhole draws a title and a body that is not cut: the rest can be scrolled to, and the
// rule above says how much there is.
func (d *Dialog[M]) renderWhole(c draw.Canvas, height int) []draw.Styled {
	title := draw.Hang(c.Theme.Warn.Draw(c.Glyphs.Warning)+" ", c.Narrow(2).Paragraph(c.Theme.Strong, d.Title))
	var body []draw.Styled
	for _, line := range d.Body {
		body = append(body, c.Narrow(2).HangIndent(line)...)
	}
	room := max(1, height-len(title)-len(d.Choices)-3)
	d.Page.Fill(body, room)
	counted, rest := d.Note, d.Page.Below()
	if d.Read = d.Read || rest == 0; rest > 0 {
		more := draw.Sprintf(" %s, pgdn ", words.Count(rest, "more line"))
		if counted += more; draw.Cells(counted)+4 > c.Width {
			counted = more
		}
	}
	lines := append([]draw.Styled{c.Ruled(counted)}, title...)
	return append(lines, draw.Indent(d.Page.Seen())...)
}
