package changes

import (
	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// renderDiff draws the chosen file's diff around the cursor, in so many rows, the first of which
// names the file.
func (v *View) renderDiff(c draw.Canvas, above, height int) []draw.Styled {
	f := v.File()
	if f == nil || height <= 0 {
		return nil
	}
	lines := []draw.Styled{v.renderName(c, f)}
	lines = append(lines, renderConflict(c, f, height/3)...)
	if height <= len(lines) {
		return lines[:height]
	}
	above += len(lines) - 1
	height -= len(lines) - 1
	v.hits.diff, v.hits.diffRows = above+1, height-1
	s, l := v.shown[f.Which], v.lines()
	switch {
	case l == nil:
		return append(lines, "  "+c.Theme.Faint.Draw("reading"))
	case s.Why != "":
		return append(lines, draw.Indent(c.Narrow(2).Paragraph(c.Theme.Dim, sanitize.Line(s.Why)))...)
	case len(l.rows) == 0:
		return append(lines, "  "+c.Theme.Faint.Draw("what it holds is the same"))
	}
	return append(lines, v.renderLines(c, f, l, height-1)...)
}

// renderConflict says in so many lines why a file is not landed, and where git cannot merge it.
func renderConflict(c draw.Canvas, f *File, most int) []draw.Styled {
	why, look := f.Conflict, c.Theme.Bad
	if why == "" {
		why, look = f.Left, c.Theme.Warn
	}
	if why == "" {
		return nil
	}
	inner := c.Narrow(2)
	lines := []draw.Styled{"  " + look.Draw(inner.Cut(sanitize.Line(why), inner.Width))}
	for i, place := range f.Places {
		if more := len(f.Places) - i; len(lines)+1 >= max(2, most) && more > 1 {
			return append(lines, "  "+c.Theme.Dim.Draw(draw.Sprintf("and %d more places", more)))
		}
		lines = append(lines, "  "+c.Theme.Dim.Draw(inner.Cut(sanitize.Line(place), inner.Width)))
	}
	return lines
}

// renderName draws the line above a diff.
func (v *View) renderName(c draw.Canvas, f *File) draw.Styled {
	right := spaced(append(flags(c, f), c.Theme.Faint.Draw(c.CutWords(writers(f), c.Width/3))))
	look := c.Theme.Strong
	if !v.InDiff {
		look = c.Theme.Dim
	}
	room := c.Content().Width - draw.Cells(right) - 2
	if room < 12 {
		right, room = "", c.Content().Width
	}
	return c.Content().Between(c.Tail(f.Path, nil, look, room), right)
}

// renderLines draws the rows of a diff that are in sight, and no others: from the first that was in
// sight, moved on until the one with the cursor is.
func (v *View) renderLines(c draw.Canvas, f *File, l *lines, height int) []draw.Styled {
	if l.top > l.at {
		l.top = l.at
	}
	if l.at-l.top >= height { // a row takes one line at least
		l.top = l.at - height + 1
	}
	for {
		drawn, of, whole := v.rowsFrom(c, f, l, height)
		if whole || l.top == l.at {
			v.hits.lineRows = of
			return drawn
		}
		l.top++
	}
}

// rowsFrom draws from the top row on, and reports whether the row with the cursor is there whole; of
// says which row each line is of.
func (v *View) rowsFrom(c draw.Canvas, f *File, l *lines, height int) (drawn []draw.Styled, of []int, whole bool) {
	for i := l.top; i < len(l.rows) && len(drawn) < height; i++ {
		row := v.renderRow(c, f, l, i)
		drawn = append(drawn, row...)
		for range row {
			of = append(of, i)
		}
		if i == l.at {
			whole = len(drawn) <= height
		}
	}
	return drawn[:min(len(drawn), height)], of, whole
}

// renderRow draws one row with what is written on it. The bar of the one with the cursor takes the
// cells that the others leave free.
func (v *View) renderRow(c draw.Canvas, f *File, l *lines, i int) []draw.Styled {
	inner := c.Narrow(2)
	var lines []draw.Styled
	r := l.rows[i]
	switch {
	case r.adrift != nil:
		lines = inner.Paragraph(inner.Theme.Dim, draw.Sprintf("line %d, which has changed: %s", r.adrift.Line, r.adrift.Quote))
		lines = append(lines, renderComment(inner, *r.adrift)...)
	case l.beside:
		lines = l.diff.Beside(inner, r.pair)
	default:
		lines = l.diff.Line(inner, r.pair.New)
	}
	if l.heads && r.adrift == nil && l.diff.Lines[l.line(r.pair)].Sign == draw.HunkSign {
		lines = v.boxed(inner, f, l, r, lines)
	}
	lines = append(lines, v.commentOn(inner, f, l, r)...)
	lead := draw.Styled("  ")
	if v.InDiff && i == l.at {
		lead = c.Theme.Accent.Draw(c.Glyphs.Focus) + " "
	}
	led := make([]draw.Styled, len(lines))
	for n, line := range lines {
		led[n] = lead + line
	}
	return led
}

// boxed says before the head of a hunk whether it is chosen.
func (v *View) boxed(c draw.Canvas, f *File, l *lines, r lineRow, lines []draw.Styled) []draw.Styled {
	box := sanitize.Text("[ ] ")
	if v.Marks.Hunk(f.Path, l.diff.Lines[l.line(r.pair)].Hunk) {
		box = "[x] "
	}
	boxed := append([]draw.Styled{}, lines...)
	boxed[0] = c.CutStyled(c.Theme.Text.Draw(box)+boxed[0], c.Width)
	return boxed
}

// commentOn draws what is written on the lines of a row.
func (v *View) commentOn(c draw.Canvas, f *File, l *lines, r lineRow) []draw.Styled {
	if r.adrift != nil || v.Comments.Count() == 0 {
		return nil
	}
	var drawn []draw.Styled
	for _, pair := range []draw.Pair{{Old: r.pair.Old, New: -1}, {Old: -1, New: r.pair.New}} {
		p, is := l.placeOf(f, pair)
		if c2, on := v.Comments.On(p); is && on && (pair.New < 0 || r.pair.Old != r.pair.New) {
			drawn = append(drawn, renderComment(c, c2)...)
		}
	}
	return drawn
}

func renderComment(c draw.Canvas, one Comment) []draw.Styled {
	sign := "    " + c.Theme.User.Draw(c.Glyphs.Lane.Message) + " "
	return draw.Hang(sign, c.Narrow(6).Paragraph(c.Theme.User, sanitize.Clean(one.Text)))
}
