package ui

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// lightened draws the matches of a block: all of them underlined, the one that is
// shown in reverse.
func (m *model) lightened(b *transcript.Block, c draw.Canvas, lines []draw.Styled) []draw.Styled {
	var w transcript.Query
	nth := -1
	switch {
	case m.search != nil:
		w = m.search.words
		if at := m.search.at; at >= 0 && m.search.places[at].block == b {
			nth = m.search.places[at].nth
		}
	case m.reader != nil:
		w = m.reader.words
	}
	all := w.Stretches(lines)
	if len(all) == 0 {
		return lines
	}
	nth = min(nth, matches(all)-1)
	lit := slices.Clone(lines)
	for _, s := range slices.Backward(all) {
		on, off := draw.Sequence("\x1b[4m"), draw.Sequence("\x1b[24m")
		if s.Match == nth {
			on, off = "\x1b[7m", "\x1b[27m"
		}
		lit[s.Line] = draw.Underlay(lit[s.Line], s.From, s.To, on, off)
	}
	return lit
}

// renderSearch draws the line of the search in place of the composer, and where in
// it the cursor stands.
func (m *model) renderSearch(c draw.Canvas) (draw.Styled, int) {
	s, talk := m.search, m.talk(m.open)
	var state sanitize.Text
	switch {
	case s.words.Text == "":
	case len(s.places) == 0 && !talk.Complete && m.options.Older != nil:
		state = "searching older…"
	case len(s.places) == 0:
		state = "not found"
	default:
		state = draw.Sprintf("%d/%d", s.at+1, len(s.places))
		if !talk.Complete && m.options.Older != nil {
			state += " searching older…"
		}
	}
	sign := c.Theme.Accent.Draw("/ ")
	typed := sanitize.Line(s.line.Text)
	if typed == "" {
		return c.Between(sign+c.Theme.Faint.Draw(c.Cut("search the session", c.Width-2)), ""), 2
	}
	room := max(1, c.Width-3-draw.Cells(state)-1)
	typed = draw.KeepEnd(typed, room) // which is what is being typed
	return c.Between(sign+c.Theme.Text.Draw(typed), c.Theme.Dim.Draw(state)), 2 + draw.Cells(typed)
}
