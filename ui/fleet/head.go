package fleet

import (
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// renderHead says how many sessions there are, how they stand, and what all cost, with the place
// of the selected one at the end.
func (m *model) renderHead(c draw.Canvas) draw.Styled {
	c.Width = m.layout().left // as far as the list goes
	c = c.Content()
	b := &m.board
	title := c.Theme.Strong.Draw("Fleet")
	if b.filter != "" {
		title = c.Theme.Accent.Draw("/" + draw.KeepEnd(sanitize.Line(b.filter), c.Width/3))
	}
	var right draw.Styled
	if at := b.at(); at >= 0 {
		right = c.Theme.Faint.Draw(draw.Sprintf("%d of %d", at+1, len(b.kept)))
	}
	sums := c.Figures(m.figures(c), c.Width-draw.Cells(title)-draw.Cells(right)-5)
	return c.Between(c.Join(title, sums), right)
}

// figures are the sums over all sessions that are not nothing.
func (m *model) figures(c draw.Canvas) []draw.Figure {
	b, t := &m.board, c.Theme
	var all []draw.Figure
	add := func(text sanitize.Text, look draw.Paint, weight int) {
		if text != "" {
			all = append(all, draw.Figure{Text: text, Look: look, Weight: weight})
		}
	}
	count := func(need Need, one, many string, look draw.Paint, weight int) {
		if n := b.counts[need]; n > 0 {
			add(sanitize.Line(words.CountOf(n, one, many)), look, weight)
		}
	}
	if n := len(b.sessions); n > 0 {
		add(sanitize.Line(words.Count(n, "session")), t.Dim, 4)
	}
	count(NeedsYou, "needs you", "need you", t.Warn, 9)
	count(Works, "works", "work", t.Accent, 8)
	count(Unread, "unread", "unread", t.Text, 5)
	add(draw.Dollars(b.cost), t.Dim, 6)
	add(m.dayWords(), m.dayLook(c), 7)
	add(m.workerWords(), t.Dim, 3)
	return all
}

// dayWords say what all sessions have cost today, against what they may.
func (m *model) dayWords() sanitize.Text {
	cost, limit := draw.Dollars(m.day.cost), draw.Dollars(m.day.limit)
	if cost == "" {
		cost = "$0"
	}
	switch {
	case limit != "":
		return draw.Sprintf("%s of %s today", cost, limit)
	case m.day.cost > 0:
		return cost + " today"
	}
	return ""
}

// nearLimit is the share of the day's limit from which on it is marked.
const nearLimit = 0.8

func (m *model) dayLook(c draw.Canvas) draw.Paint {
	switch d := m.day; {
	case d.limit > 0 && d.cost >= d.limit:
		return c.Theme.Bad
	case d.limit > 0 && d.cost >= nearLimit*d.limit:
		return c.Theme.Warn
	}
	return c.Theme.Dim
}

// mostTrouble is how many lines of trouble are shown.
const mostTrouble = 2

// renderTrouble draws what could not be read or asked.
func (m *model) renderTrouble(c draw.Canvas) []draw.Styled {
	all := m.trouble
	if m.broken != "" {
		all = append([]string{"the list stands still: " + m.broken}, all...)
	}
	var lines []draw.Styled
	for i, text := range all {
		words := sanitize.Line(text)
		if i == mostTrouble-1 && len(all) > mostTrouble {
			words = draw.Sprintf("%s (and %d more)", words, len(all)-mostTrouble)
		}
		if i == mostTrouble {
			break
		}
		lines = append(lines, c.Theme.Warn.Draw(c.Glyphs.Warning+" ")+c.Theme.Warn.Draw(c.Cut(words, c.Content().Width-2)))
	}
	return lines
}
