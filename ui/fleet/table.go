package fleet

import (
	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// The list draws the lines in sight and no other.

// sectionWords are the headings of the sections.
var sectionWords = [needs]sanitize.Text{NeedsYou: "needs you", Works: "works", Unread: "ended, unread", Recent: "recent"}

// render draws the list in so many rows. empty stands where there is no line.
func (b *board) render(c draw.Canvas, rows int, empty sanitize.Text) []draw.Styled {
	first, last := b.window(rows)
	t := table{c: c.Content()}
	t.title, t.activity, t.columns = fitting(c.Width, &b.widths)
	lines := make([]draw.Styled, 0, rows)
	selected := b.at()
	for _, l := range b.lines[first:last] {
		switch l.kind {
		case blank:
			lines = append(lines, "")
		case heading:
			lines = append(lines, section(c, l.head, b.counts[l.head], b.filter == ""))
		case ofSession:
			s := &b.sessions[b.kept[l.kept]]
			lines = append(lines, t.row(s, l.kept == selected))
		}
	}
	if len(b.lines) == 0 && rows > 0 {
		lines = append(lines, "  "+c.Theme.Faint.Draw(c.Cut(empty, c.Width-2)))
	}
	for len(lines) < rows {
		lines = append(lines, "")
	}
	return lines
}

// section is the heading of a section with how many sessions it has, where all of them are kept.
func section(c draw.Canvas, need Need, count int, all bool) draw.Styled {
	looks := [needs]draw.Paint{NeedsYou: c.Theme.Warn, Works: c.Theme.Accent, Unread: c.Theme.Strong, Recent: c.Theme.Dim}
	line := "  " + looks[need].Draw(sectionWords[need])
	if all {
		line += " " + c.Theme.Faint.Draw(draw.Sprintf("%d", count))
	}
	return line
}

// table is what its rows share.
type table struct {
	c               draw.Canvas
	title, activity int
	columns         []int
}

// row draws a session on a line; the selected one is distinct without colour too.
func (t *table) row(s *Session, selected bool) draw.Styled {
	c := t.c
	lead, look := draw.Styled("  "), c.Theme.Text
	if selected {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	line := lead + signOf(c, s) + " " + draw.Pad(look.Draw(c.Cut(titleOf(s), t.title)), t.title)
	for i, width := range t.columns {
		if i == behindActivity && t.activity > 0 {
			line += "  " + draw.Pad(activityOf(c, s, t.activity), t.activity)
		}
		if width == 0 {
			continue
		}
		cell := c.CutStyled(columns[i].cell(c, s), width)
		if columns[i].right {
			cell = draw.Pad("", width-draw.Cells(cell)) + cell
		}
		line += "  " + draw.Pad(cell, width)
	}
	return line
}

// titleOf is what a session is called.
func titleOf(s *Session) sanitize.Text {
	if title := sanitize.Line(s.Title); title != "" {
		return title
	}
	return "untitled"
}

// signOf is the sign of a session, one cell, in the tone of its state.
func signOf(c draw.Canvas, s *Session) draw.Styled {
	switch {
	case s.Question != nil:
		return c.Theme.Warn.Draw(c.Glyphs.Asks)
	case s.State == "":
		return c.Theme.Dim.Draw(c.Glyphs.Dot)
	case s.State == lifecycle.StateCompleted && s.Denied > 0:
		return c.Theme.Warn.Draw(c.Glyphs.Barred)
	}
	return c.Theme.State(s.State).Draw(c.Glyphs.State(s.State, 0))
}

// activityOf is what a session does, why it is quiet, or how it ended, in a width.
func activityOf(c draw.Canvas, s *Session, width int) draw.Styled {
	look, words := doing(c, s)
	return look.Draw(c.CutWords(words, width))
}

func doing(c draw.Canvas, s *Session) (draw.Paint, sanitize.Text) {
	words := sanitize.Line(s.Activity)
	if q := s.Question; q != nil {
		return c.Theme.Warn, draw.Sprintf("asks: %s %s", sanitize.Line(q.Tool), sanitize.Line(q.Subject))
	}
	if words == "" {
		words = wording.State(s.State)
	}
	switch {
	case s.Need == NeedsYou:
		return c.Theme.Warn, words
	case s.Need == Unread && s.State != lifecycle.StateCompleted: // what somebody has read is quiet
		return c.Theme.State(s.State), words
	}
	return c.Theme.Dim, words
}
