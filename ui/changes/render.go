package changes

import (
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// Where list and diff stand. A low screen has the one with the focus alone.
const (
	lowFrom  = 12  // rows from which both have room
	wideFrom = 160 // columns from which the list stands at the left
	leftMost = 60  // columns that it takes there at most
)

// hits is where the parts of the last picture stand, counted from its corner.
type hits struct {
	list, rows     int // the first row of the list, and how many it has
	left           int // the columns of the list
	diff, diffRows int // the first row of the diff, and how many it has
	diffX          int
	diffWidth      int
	lineRows       []int // which of the lines each row of the diff is of
}

// Render draws all of it in so many rows.
func (v *View) Render(c draw.Canvas, height int) []draw.Styled {
	if height <= 0 {
		return nil
	}
	v.hits = hits{diffWidth: c.Width}
	lines := []draw.Styled{v.renderHead(c)}
	if words := v.unwatchedWords(); words != "" && height >= lowFrom {
		lines = append(lines, c.Theme.Warn.Draw(c.Cut(words, c.Width)))
	}
	if why := v.listing.Unlandable; why != "" && height >= lowFrom {
		lines = append(lines, c.Theme.Warn.Draw(c.Cut(draw.Sprintf("cannot be landed now: %s", why), c.Width)))
	}
	lines = append(lines, v.renderBody(c, len(lines), height-len(lines))...)
	return lines[:min(len(lines), height)]
}

// renderBody draws the list and the diff, below so many rows.
func (v *View) renderBody(c draw.Canvas, above, room int) []draw.Styled {
	low := above+room < lowFrom
	switch {
	case len(v.rows) == 0:
		return v.renderEmpty(c)
	case low && v.InDiff:
		return v.renderDiff(c, above, room)
	case low:
		return v.renderList(c, above, room)
	case c.Width >= wideFrom:
		return v.renderWide(c, above, room)
	}
	lines := append(v.renderList(c, above, min(len(v.rows), max(3, room/3))), c.Ruled(""))
	return append(lines, v.renderDiff(c, above+len(lines), room-len(lines))...)
}

// renderWide draws the list beside the diff.
func (v *View) renderWide(c draw.Canvas, above, room int) []draw.Styled {
	left := c
	left.Width = min(leftMost, c.Width*2/5)
	list := v.renderList(left, above, room)
	right := c.Narrow(left.Width + 3)
	v.hits.diffWidth, v.hits.diffX = right.Width, left.Width+3
	return c.Beside(list, left.Width, v.renderDiff(right, above, room), room)
}

// renderHead says what is shown, how much of it there is, and where one is.
func (v *View) renderHead(c draw.Canvas) draw.Styled {
	at, all := v.place()
	title := sanitize.Text("Changes")
	if v.listing.Words != "" {
		title = draw.Sprintf("Changes %s %s", draw.Dot, v.listing.Words)
	}
	parts := []draw.Styled{c.Theme.Strong.Draw(c.CutWords(title, c.Width*2/3))}
	if n := v.Comments.Count(); n > 0 {
		parts = append(parts, c.Theme.Accent.Draw(sanitize.Line(words.Count(n, "comment"))))
	}
	if all > 0 {
		parts = append(parts, c.Theme.Dim.Draw(groupingWords[v.By]), c.Theme.Dim.Draw(sanitize.Line(words.Count(all, "file"))))
		if added, removed, known := v.sums(); known {
			parts[len(parts)-1] += " " + figures(c, added, removed)
		}
	}
	right := draw.Styled("")
	if all > 0 {
		right = c.Theme.Faint.Draw(draw.Sprintf("%d of %d", at, all))
	}
	for len(parts) > 1 && draw.Cells(c.Join(parts...))+draw.Cells(right)+2 > c.Content().Width {
		parts = parts[:len(parts)-1]
	}
	return c.Content().Between(c.Join(parts...), right)
}

var groupingWords = [groupings]sanitize.Text{ByPrompt: "by prompt", ByRun: "by run", ByFile: "by file"}

// sums are the lines of all files, where all are known.
func (v *View) sums() (added, removed int, known bool) {
	for _, row := range v.rows {
		if row.file == nil {
			continue
		}
		a, r, known := v.counts(row.file)
		if s := v.shown[row.file.Which]; !known && (s == nil || s.Why == "") {
			return 0, 0, false
		}
		added, removed = added+a, removed+r
	}
	return added, removed, true
}

// counts are the lines of one file.
func (v *View) counts(f *File) (added, removed int, known bool) {
	if f.Counted {
		return f.Added, f.Removed, true
	}
	if s := v.shown[f.Which]; s != nil && s.Why == "" {
		return s.Added, s.Removed, true
	}
	return 0, 0, false
}

func figures(c draw.Canvas, added, removed int) draw.Styled {
	return c.Theme.Good.Draw(draw.Sprintf("+%d", added)) + " " + c.Theme.Bad.Draw(draw.Sprintf("−%d", removed))
}

// unwatchedWords say that not all is here that was changed.
func (v *View) unwatchedWords() sanitize.Text {
	all := v.listing.Unwatched
	switch len(all) {
	case 0:
		return ""
	case 1:
		return draw.Sprintf("may not be all: %s", all[0])
	}
	return draw.Sprintf("may not be all: %s, and %d more", all[len(all)-1], len(all)-1)
}

// renderEmpty says why there is nothing.
func (v *View) renderEmpty(c draw.Canvas) []draw.Styled {
	look, says := c.Theme.Faint, sanitize.Text("reading")
	switch {
	case v.Trouble != "":
		look, says = c.Theme.Bad, sanitize.Line(v.Trouble)
	case v.read:
		says = "no file is changed"
	}
	return draw.Indent(c.Narrow(2).Paragraph(look, says))
}

// Hint is what the keys do, in as many words as a width has room for.
func (v *View) Hint(width int) sanitize.Text {
	long, short := sanitize.Text("enter diff  g group  esc close"), sanitize.Text("enter diff  esc close")
	if v.InDiff {
		long, short = "c comment  n next  v sides  esc files", "c comment  esc files"
		if v.Comments.Count() > 0 {
			long, short = "c comment  m send  n next  v sides  esc files", "c comment  m send"
		}
	} else if v.Comments.Count() > 0 {
		long, short = "enter diff  m send  g group  esc close", "enter diff  m send"
	}
	if v.Landable() {
		long, short = "space choose  l land  "+long, "space choose  l land"
		if v.Conflicts() > 0 {
			long, short = "space choose  l land  b send back  enter diff  esc close", "l land  b send back"
			if v.InDiff {
				long = "space choose  l land  b send back  n next  esc files"
			}
		}
	}
	if draw.Cells(long)+14 <= width {
		return long
	}
	return short
}
