package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// Dialog is a choice that has to be made before anything else.
type Dialog[M any] struct {
	title   sanitize.Text
	body    []sanitize.Text
	choices []Choice[M]
	at      int

	whole bool // no line of the body is cut, and all of them can be scrolled to
	top   int  // of a whole body, the first line that is shown
	room  int  // and how many are, as it was last drawn
	read  bool // its end has been on the screen
	// informed is the choice for who has seen all of a whole body: until then it shows
	// what comes next. Empty: there is none such.
	informed sanitize.Text
	// stays says that typed text does not close it: it goes to the line below, and the
	// letters that follow soon do too.
	stays bool
	since time.Time // when it came, where it stays
	note  sanitize.Text
}

// safe is the place of the choice that changes nothing.
func (d *Dialog[M]) safe() int {
	return max(0, slices.IndexFunc(d.choices, func(c Choice[M]) bool { return c.do == nil }))
}

// denies reports whether a no is one of its choices: then n is too.
func (d *Dialog[M]) denies() bool {
	return slices.ContainsFunc(d.choices, func(c Choice[M]) bool { return c.key == "y" })
}

// Choice is one way out of a dialog; nil does nothing but close it.
type Choice[M any] struct {
	key, label sanitize.Text
	do         func(M) tea.Cmd
}

func (d *Dialog[M]) render(c draw.Canvas, height int) []draw.Styled {
	var lines []draw.Styled
	if d.whole {
		lines = d.renderWhole(c, height)
	} else {
		lines = append([]draw.Styled{c.Ruled("")}, c.Paragraph(c.Theme.Strong, d.title)...)
		room := max(0, min(12, height-len(d.choices)-len(lines)-2))
		for i, line := range d.body {
			if i >= room-1 && i < len(d.body)-1 {
				lines = append(lines, "  "+c.Theme.Dim.Draw(draw.Sprintf("and %d more", len(d.body)-i)))
				break
			}
			lines = append(lines, "  "+c.Theme.Dim.Draw(c.Cut(line, c.Width-2)))
		}
	}
	if height > len(lines)+len(d.choices) {
		lines = append(lines, "")
	}
	for i, choice := range d.choices {
		lead, look := draw.Styled("  "), c.Theme.Text
		if i == d.at {
			lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
		}
		lines = append(lines, lead+look.Draw(choice.label)+c.Theme.Faint.Draw("  "+choice.key))
	}
	return lines
}

// renderWhole draws a title and a body of which nothing is left out: what does not
// fit is scrolled to, and the rule above says how much there is.
func (d *Dialog[M]) renderWhole(c draw.Canvas, height int) []draw.Styled {
	title := draw.Hang(c.Theme.Warn.Draw(c.Glyphs.Warning)+" ", c.Narrow(2).Paragraph(c.Theme.Strong, d.title))
	var body []draw.Styled
	for _, line := range d.body {
		body = append(body, c.Narrow(2).HangIndent(line)...)
	}
	room := max(1, height-len(title)-len(d.choices)-3)
	d.top, d.room = max(0, min(d.top, len(body)-room)), room
	counted := d.note
	rest := len(body) - room - d.top
	if d.read = d.read || rest <= 0; rest > 0 {
		more := draw.Sprintf(" %s, pgdn ", words.Count(rest, "more line"))
		if counted += more; draw.Cells(counted)+4 > c.Width {
			counted = more
		}
	}
	lines := append([]draw.Styled{c.Ruled(counted)}, title...)
	return append(lines, draw.Indent(body[d.top:min(len(body), d.top+room)])...)
}
