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
	// Over says in one line that what it asks about is settled, as by another screen: then it
	// closes by itself. Nil: it never is; empty: not yet.
	Over func(M) sanitize.Text
	// Sums draws what goes on meanwhile in at most so many cells, for its upper side; nil: nothing.
	Sums func(width int) draw.Styled
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

// Render draws the dialog in at most height lines: what it asks, what that is about, and the
// choices, each with its number, its key and its words.
func (d *Dialog[M]) Render(c draw.Canvas, height int) []draw.Styled {
	if c = c.Content(); !d.Whole { // a whole body has paths and commands, which are not to be torn
		c = c.Prose()
	}
	above, below := c.FrameRows()
	height -= above + below
	in, words := c.Inside(), d.Note
	var lines []draw.Styled
	if d.Whole {
		lines, words = d.renderWhole(in, height)
	} else {
		lines = d.renderBrief(in, height)
	}
	if height > len(lines)+len(d.Choices) {
		lines = append(lines, "")
	}
	var sums draw.Styled
	if d.Sums != nil {
		sums = d.Sums(c.Width - draw.Cells(words) - 10)
	}
	return c.FramedAfter(sums, words, append(lines, d.renderChoices(in)...))
}

// renderChoices draws the choices, their words under one another.
func (d *Dialog[M]) renderChoices(c draw.Canvas) []draw.Styled {
	widest := 0
	for _, choice := range d.Choices {
		widest = max(widest, draw.Cells(choice.Key))
	}
	var lines []draw.Styled
	for i, choice := range d.Choices {
		lead, look := draw.Styled("  "), c.Theme.Text
		if i == d.At {
			lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
		}
		key := draw.Pad(c.Theme.Accent.Draw(draw.Sprintf("%d %s", i+1, choice.Key)), widest+4)
		lines = append(lines, lead+key+look.Draw(c.Cut(choice.Label, c.Width-widest-6)))
	}
	return lines
}

// renderTitle draws what a dialog asks.
func (d *Dialog[M]) renderTitle(c draw.Canvas) []draw.Styled {
	return draw.Hang(c.Theme.Warn.Draw(c.Glyphs.Warning)+" ", c.Narrow(2).Paragraph(c.Theme.Strong, d.Title))
}

// renderBrief draws the title and as much of the body as there is room for.
func (d *Dialog[M]) renderBrief(c draw.Canvas, height int) []draw.Styled {
	lines := d.renderTitle(c)
	room := max(0, min(12, height-len(d.Choices)-len(lines)-1))
	for i, line := range d.Body {
		if i >= room-1 && i < len(d.Body)-1 {
			return append(lines, "  "+c.Theme.Dim.Draw(draw.Sprintf("and %d more", len(d.Body)-i)))
		}
		lines = append(lines, "  "+c.Theme.Dim.Draw(c.Cut(line, c.Width-2)))
	}
	return lines
}

// renderWhole draws a title and a body that is not cut: the rest can be scrolled to, and the
// words, which are for the frame, say how much there is.
func (d *Dialog[M]) renderWhole(c draw.Canvas, height int) (lines []draw.Styled, counted sanitize.Text) {
	title := d.renderTitle(c)
	var body []draw.Styled
	for _, line := range d.Body {
		body = append(body, c.Narrow(2).HangIndent(line)...)
	}
	room := max(1, height-len(title)-len(d.Choices)-2)
	d.Page.Fill(body, room)
	counted, rest := d.Note, d.Page.Below()
	if d.Read = d.Read || rest == 0; rest > 0 {
		more := draw.Sprintf(" %s, pgdn ", words.Count(rest, "more line"))
		if counted += more; draw.Cells(counted)+4 > c.Width {
			counted = more
		}
	}
	return append(title, draw.Indent(d.Page.Seen())...), counted
}
