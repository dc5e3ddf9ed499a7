package dashboard

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// hits is where the parts of the last picture stand, counted from its corner.
type hits struct {
	left  int // the columns of lanes and table
	lanes int // the first row of the lanes
	under int // the first row below them
	table int // the first row of the table, its titles left out
	rows  int // and how many
}

// Render draws the dashboard in so many lines. detail is asked for the selected run if there is
// room for it. x is where the filter takes what is typed, in the first line; -1 if it does not.
func (b *Board) Render(c draw.Canvas, s Source, height int, detail func() Detail) (lines []draw.Styled, x int) {
	if height <= 0 {
		return nil, -1
	}
	r := b.refresh(s)
	l := layoutOf(c.Width, height, len(r.kept))
	head, x := b.renderHead(c, s)
	lines = append(lines, head)
	left := c
	left.Width = l.left
	b.hits = hits{left: l.left, lanes: 1, under: 1}
	if l.lanes.Lanes > 0 {
		part := b.Lanes.Render(left, b.Over(s), l.lanes)
		b.hits.under = 1 + len(part)
		l.table += l.lanes.Height() - len(part) // the signs had no room, or need less of it
		lines = append(lines, append(part, make([]draw.Styled, l.gap)...)...)
	}
	above := len(lines)
	lines = append(lines, b.renderTable(left, s, l.table)...)
	b.hits.table += above
	selected := slices.IndexFunc(r.kept, func(r row) bool { return r.session == b.Lanes.Session })
	if !l.shown() || selected < 0 {
		return lines[:min(len(lines), height)], x
	}
	d := detail()
	if !l.beside {
		lines = append(lines, c.Ruled(""))
		lines = append(lines, d.render(c, s, &r.kept[selected], height-len(lines))...)
		return lines[:min(len(lines), height)], x
	}
	right := d.render(c.Narrow(l.left+3), s, &r.kept[selected], l.detail)
	return append(lines[:1:1], c.Beside(lines[1:], l.left, right, l.detail)...), x
}

// renderHead says how many runs there are, how they stand, what all of them cost, which are kept,
// and in which order they stand.
func (b *Board) renderHead(c draw.Canvas, s Source) (line draw.Styled, x int) {
	r := b.refresh(s)
	at := slices.Index(r.lanes, b.Lanes.Session) + 1
	right := c.Theme.Faint.Draw(draw.Sprintf("%s %s %d of %d", orderWords[b.Order], draw.Dot, at, len(r.kept)))
	if c.Width < 60 {
		right = c.Theme.Faint.Draw(draw.Sprintf("%d of %d", at, len(r.kept)))
	}
	title, x := c.Theme.Strong.Draw("Dashboard"), -1
	if b.Typing || b.Filter != "" {
		title = c.Theme.Accent.Draw("/") + c.Theme.Text.Draw(draw.KeepEnd(sanitize.Line(b.Filter), c.Width/2))
		if b.Typing {
			x = draw.Cells(title)
		}
	}
	parts := append([]draw.Styled{title, b.Lanes.Part(c, s.Session)}, b.sums(c)...)
	for len(parts) > 1 && draw.Cells(c.Join(parts...))+draw.Cells(right)+2 > c.Width {
		parts = parts[:len(parts)-1]
	}
	if title == "" {
		parts[0] = " " // an empty filter
	}
	return c.Content().Between(c.Join(parts...), right), x
}

// sums are how many runs stand how, and what all took, the most important first.
func (b *Board) sums(c draw.Canvas) []draw.Styled {
	r := &b.rows
	looks := [...]draw.Paint{asks: c.Theme.Warn, look: c.Theme.Bad, works: c.Theme.Accent, queued: c.Theme.Dim, idle: c.Theme.Dim, ended: c.Theme.Dim}
	var parts []draw.Styled
	for n, count := range r.all {
		if count > 0 {
			parts = append(parts, looks[n].Draw(draw.Sprintf("%d %s", count, needWords[n])))
		}
	}
	if n := r.usage.Tokens(); n > 0 {
		parts = append(parts, c.Theme.Dim.Draw(draw.Tokens(n)+" tok"))
	}
	return append(parts, c.Theme.Dim.Draw(draw.Dollars(r.usage.Cost)))
}

// Click selects what stands at a place of the last picture: a lane with the mark there, or a row.
// It reports whether that row was selected before, which opens it.
func (b *Board) Click(s Source, x, y int) (hit, again bool) {
	if x >= b.hits.left {
		return false, false
	}
	if y >= b.hits.lanes && y < b.hits.under {
		return b.Lanes.Click(b.Over(s), x, y-b.hits.lanes), false
	}
	lanes, at := b.refresh(s).lanes, y-b.hits.table
	if at < 0 || at >= b.hits.rows || b.first+at >= len(lanes) {
		return false, false
	}
	session := lanes[b.first+at]
	again = session == b.Lanes.Session
	b.Lanes.Select(session)
	return true, again
}

// Hint is what the keys do on the dashboard, in as many words as a width has room for. acts are
// what they do to the selected run.
func Hint(width int, acts sanitize.Text) sanitize.Text {
	if width < 60 {
		return acts
	}
	if width < 100 {
		return "s order  / filter  enter open  esc close"
	}
	return "↑ ↓ runs  ← → marks  + - zoom  s order  / filter  enter open  esc close"
}
