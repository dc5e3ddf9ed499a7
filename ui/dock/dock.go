package dock

import (
	"cmp"
	"slices"
	"time"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/transcript"
	"pawl/ui/wording"
)

// Dock is what is kept of one picture of the lines for the next one.
type Dock struct {
	Unfolded bool // the ends that went well stand one by one
	// Free lets the next picture have fewer rows. Else a line that leaves by the clock leaves its
	// row empty: nothing that somebody reads may move without a reason.
	Free bool
	Rows int

	order   []lifecycle.SessionID // of the lines while none had the focus
	columns transcript.Columns
	since   time.Time             // when they began to be measured
	width   int                   // of the screen for which they were
	of      []lifecycle.SessionID // the lines for which they were
}

// Lines are cards in the order of their lines. While one has the focus no line changes its place:
// whoever goes from one to the next finds them where they saw them. The lines hold copies of the cards.
func (d *Dock) Lines(cards []transcript.Card, focus lifecycle.SessionID) []Line {
	lines := Order(cards, focus, d.Unfolded)
	if focus == "" {
		return lines
	}
	place := func(l Line) int {
		if at := slices.Index(d.order, l.ID()); at >= 0 {
			return at
		}
		return len(d.order)
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return cmp.Compare(place(a), place(b)) })
	return lines
}

// keepOrder notes the order of the lines, unless one has the focus.
func (d *Dock) keepOrder(lines []Line) {
	if slices.ContainsFunc(lines, func(l Line) bool { return l.Selected }) {
		return
	}
	d.order = d.order[:0]
	for _, line := range lines {
		d.order = append(d.order, line.ID())
	}
}

// View is what a picture shows.
type View struct {
	Lines   []Line
	Most    int      // rows
	Low     bool     // the screen has no room to keep rows empty
	Covered bool     // something else has the keys
	Actions []Action // of the line with the focus
}

// Render draws the lines, as many as there is room for, the one with the focus among them, and gives
// the session of each row, empty for none.
func (d *Dock) Render(c draw.Canvas, v View) (drawn []draw.Styled, rows []lifecycle.SessionID) {
	if !slices.ContainsFunc(v.Lines, func(l Line) bool { return l.Ends != nil }) {
		d.Unfolded = false // what is folded next is folded
	}
	d.keepOrder(v.Lines)
	drawn, rows = d.render(c, v)
	missing := min(d.Rows, v.Most) - len(drawn)
	if d.Free || missing <= 0 || v.Low {
		d.Rows, d.Free = len(drawn), false
		return drawn, rows
	}
	return append(drawn, make([]draw.Styled, missing)...), append(rows, make([]lifecycle.SessionID, missing)...)
}

func (d *Dock) render(c draw.Canvas, v View) (drawn []draw.Styled, rows []lifecycle.SessionID) {
	if len(v.Lines) == 0 || v.Most <= 0 {
		return nil, nil
	}
	keys, most := v.withKeys(), v.Most
	if keys >= 0 && (most > 2 || most == 2 && (len(v.Lines) == 1 || v.Lines[keys].Selected)) {
		most--
	} else {
		keys = -1
	}
	first, last := v.window(most)
	cols := d.measure(c, v.Lines[first:last])
	for i, line := range v.Lines[first:last] {
		drawn, rows = append(drawn, line.draw(c, cols, d.Unfolded)), append(rows, line.ID())
		if first+i != keys {
			continue
		}
		if line.Selected {
			drawn = append(drawn, Keys(c, v.Actions))
		} else {
			drawn = append(drawn, line.Choices(c))
		}
		rows = append(rows, line.ID())
	}
	if n := hidden(v.Lines, first, last); n > 0 && v.Most > 1 {
		drawn, rows = append(drawn, "  "+c.Theme.Faint.Draw(draw.Sprintf("+%d more", n))), append(rows, "")
	}
	return drawn, rows
}

// withKeys is the line below which stands what the keys do: the one with the focus, else the first
// that is overdue; -1 for none.
func (v View) withKeys() int {
	first := -1
	for i, line := range v.Lines {
		switch {
		case v.Covered:
		case line.Selected && len(v.Actions) > 0:
			return i
		case line.Overdue() && first < 0:
			first = i
		}
	}
	return first
}

// window is which lines have room: the first ones, or those around the focus. One row is for the
// number of the others.
func (v View) window(most int) (first, last int) {
	all := len(v.Lines)
	if all <= most {
		return 0, all
	}
	rows := max(1, most-1)
	at := slices.IndexFunc(v.Lines, func(l Line) bool { return l.Selected })
	if at >= rows {
		first = min(at-rows/2, all-rows)
	}
	return first, first + rows
}

// hidden is how many runs have no line of the shown ones.
func hidden(lines []Line, first, last int) int {
	n, folded := 0, 0
	for i, line := range lines {
		seen := i >= first && i < last
		switch {
		case line.Ends != nil && i == len(lines)-1 && !seen:
			folded = len(line.Ends)
		case line.Ends == nil && !seen:
			n++
		}
	}
	return n + folded
}

// measuredFor is how long columns only grow: short enough that one long activity does not keep the
// figures away from shorter ones.
const measuredFor = 10 * time.Second

// measure is the columns of the lines. They grow with the words in them, and are measured anew when
// a line comes or goes, and now and then: so figures do not jump with each new activity.
func (d *Dock) measure(c draw.Canvas, lines []Line) transcript.Columns {
	of := make([]lifecycle.SessionID, 0, len(lines))
	for _, line := range lines {
		of = append(of, line.ID())
	}
	slices.Sort(of)
	if d.width != c.Width || c.Now.Sub(d.since) >= measuredFor || !slices.Equal(of, d.of) {
		d.since, d.width, d.of, d.columns = c.Now, c.Width, of, transcript.Columns{}
	}
	d.columns = d.columns.Grown(c, func(yield func(transcript.Card) bool) {
		for _, line := range lines {
			if line.Ends == nil && !yield(line.Card) {
				return
			}
		}
	})
	return d.columns
}

// draw draws a line in the columns of all. The names of ends that stand below it are not on it too.
func (l Line) draw(c draw.Canvas, cols transcript.Columns, unfolded bool) draw.Styled {
	if l.Ends == nil {
		return l.Line(c, cols)
	}
	title := c.Theme.Text
	if l.Selected {
		title = c.Theme.Selected
	}
	counted := title.Draw(draw.Sprintf("%d completed", len(l.Ends)))
	line := transcript.Lead(c, l.Selected) + c.Theme.Good.Draw(c.Glyphs.Done) + " " + counted
	if unfolded {
		return draw.Fit(line, c.Width)
	}
	line = draw.Pad(line+"  ", cols.Start())
	var names sanitize.Text
	for i, end := range l.Ends {
		if i > 0 {
			names += ", "
		}
		names += wording.Name(end.Run)
	}
	return draw.Fit(line+c.Theme.Dim.Draw(c.CutWords(names, c.Content().Width-draw.Cells(line))), c.Width)
}
