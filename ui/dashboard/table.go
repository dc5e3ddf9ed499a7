package dashboard

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
	"pawl/ui/wording"
)

// The table draws the rows in sight and no other: Lip Gloss and Bubbles draw all of them.

// renderTable draws the rows around the selected one under their titles, in so many lines.
func (b *Board) renderTable(c draw.Canvas, s Source, height int) []draw.Styled {
	r := b.refresh(s)
	t := tableOf(c, s, r.widths)
	var lines []draw.Styled
	if height > 1 {
		lines = append(lines, c.Theme.Faint.Draw(t.titles()))
	}
	room := max(1, height-len(lines))
	at := max(0, slices.Index(r.lanes, b.Lanes.Session))
	b.first = max(at-room+1, min(b.first, at), 0)
	b.first = max(0, min(b.first, len(r.kept)-room))
	last := min(len(r.kept), b.first+room)
	b.hits.table, b.hits.rows = len(lines), last-b.first
	for i := b.first; i < last; i++ {
		lines = append(lines, t.row(&r.kept[i], s.Card(r.kept[i].session), i == at))
	}
	if len(r.kept) == 0 {
		lines = append(lines, "  "+c.Theme.Faint.Draw("nothing matches: esc clears the filter"))
	}
	return lines
}

// table is what its rows share.
type table struct {
	c              draw.Canvas
	s              Source
	name, activity int
	columns        []int
}

func tableOf(c draw.Canvas, s Source, w widths) table {
	name, activity, columns := fitting(c.Width, w)
	return table{c, s, name, activity, columns}
}

func (t *table) titles() sanitize.Text {
	line := draw.Sprintf("    %-*s", t.name, "name")
	for i, width := range t.columns {
		if i == behindActivity {
			line += draw.Sprintf("  %-*s", t.activity, "activity")
		}
		switch {
		case width == 0:
		case columns[i].right:
			line += draw.Sprintf("  %*s", width, columns[i].title)
		default:
			line += draw.Sprintf("  %-*s", width, columns[i].title)
		}
	}
	return line
}

// row draws one row; the selected one is distinct without colour too.
func (t *table) row(r *row, card transcript.Card, selected bool) draw.Styled {
	c := t.c
	lead, look := draw.Styled("  "), c.Theme.Text
	if selected {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	line := lead + signOf(c, r, card) + draw.Pad(look.Draw(c.Cut(r.name, t.name)), t.name)
	for i, width := range t.columns {
		if i == behindActivity {
			line += "  " + draw.Pad(activityOf(c, r, card, t.activity), t.activity)
		}
		if width == 0 {
			continue
		}
		cell := c.CutStyled(columns[i].cell(c, t.s, r, card), width)
		if columns[i].right {
			cell = draw.Pad("", width-draw.Cells(cell)) + cell
		}
		line += "  " + draw.Pad(cell, width)
	}
	return line
}

// signOf is the sign of the state in a cell, and a space.
func signOf(c draw.Canvas, r *row, card transcript.Card) draw.Styled {
	switch r.need {
	case asks:
		return c.Theme.Warn.Draw(c.Glyphs.Lane.Question) + " "
	case idle:
		return c.Theme.Dim.Draw(c.Glyphs.Dot) + " "
	case look, works, queued, ended:
	}
	return card.Sign(c)
}

// activityOf is what a run does, why it is quiet, or how it ended; what is wrong comes first.
func activityOf(c draw.Canvas, r *row, card transcript.Card, width int) draw.Styled {
	look, words := c.Theme.Dim, card.Activity(c)
	run := &card.Run
	switch {
	case r.need == asks:
		q := run.Asked[0]
		look, words = c.Theme.Warn, draw.Sprintf("asks you: %s %s", q.Tool, q.Subject)
	case r.need == idle:
		words = idleWords(words)
	case run.State.Terminal() && run.State != lifecycle.StateCompleted:
		look = c.Theme.State(run.State)
	}
	if words == "" {
		words = wording.Standing(*run)
	}
	lead := mark(c, card)
	if lead != "" {
		lead = c.CutStyled(lead, width)
		if draw.Cells(lead)+6 > width {
			return lead
		}
		lead += " "
	}
	return lead + look.Draw(c.CutWords(words, width-draw.Cells(lead)))
}

// idleWords say that the main agent waits for its user, and how it left off.
func idleWords(end sanitize.Text) sanitize.Text {
	if end == "" {
		return "idle"
	}
	return draw.Sprintf("idle %s %s", draw.Dot, end)
}

// mark is the most important warning on a run that no column has.
func mark(c draw.Canvas, card transcript.Card) draw.Styled {
	card.Unread, card.Held, card.Denied, card.Run.Notification = false, false, 0, nil
	if marks := card.Marks(c); len(marks) > 0 {
		return marks[0]
	}
	return ""
}
