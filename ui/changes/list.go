package changes

import (
	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// renderList draws the rows around the chosen file, in so many lines.
func (v *View) renderList(c draw.Canvas, above, height int) []draw.Styled {
	v.hits.list, v.hits.left = above, c.Width
	v.scroll(height)
	last := min(len(v.rows), v.first+height)
	v.hits.rows = last - v.first
	var lines []draw.Styled
	for i := v.first; i < last; i++ {
		if v.rows[i].file == nil {
			lines = append(lines, renderHeading(c, v.rows[i]))
			continue
		}
		lines = append(lines, v.renderFile(c, v.rows[i].file, i == v.at))
	}
	return lines
}

// scroll brings the chosen file into so many rows, with the heading right above it.
func (v *View) scroll(height int) {
	v.inSight = height
	from := v.at
	if from > 0 && v.rows[from-1].file == nil {
		from--
	}
	v.first = max(v.at-height+1, min(v.first, from), 0)
	v.first = max(0, min(v.first, len(v.rows)-height))
}

func renderHeading(c draw.Canvas, r row) draw.Styled {
	count := c.Theme.Faint.Draw(draw.Sprintf(" %d", r.files))
	return c.Theme.Dim.Draw(c.CutWords(sanitize.Line(r.heading), c.Width-draw.Cells(count))) + count
}

// renderFile draws one file; the chosen one is distinct without colour too.
func (v *View) renderFile(c draw.Canvas, f *File, chosen bool) draw.Styled {
	lead, look := draw.Styled("  "), c.Theme.Text
	if chosen {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
		if v.InDiff {
			lead = c.Theme.Faint.Draw(c.Glyphs.Prompt) + " "
		}
	}
	lead += v.box(c, f)
	room := c.Content().Width - draw.Cells(lead)
	right := v.fitting(c, f, room/2)
	name := c.Tail(f.Path, nil, look, max(8, room-draw.Cells(right)-2))
	return c.Content().Between(lead+name, right)
}

// box says how much of a file is chosen, where that can be chosen.
func (v *View) box(c draw.Canvas, f *File) draw.Styled {
	if !v.listing.Landable {
		return ""
	}
	if f.Left != "" {
		return "    "
	}
	boxes := map[Choice]sanitize.Text{All: "[x] ", Some: "[-] ", None: "[ ] "}
	return c.Theme.Text.Draw(boxes[v.Marks.File(f.Path)])
}

// fitting is what is said of a file that has room, what matters most first.
func (v *View) fitting(c draw.Canvas, f *File, room int) draw.Styled {
	var kept []draw.Styled
	for _, part := range v.remarks(c, f) {
		if part == "" {
			continue
		}
		if with := append([]draw.Styled{part}, kept...); draw.Cells(spaced(with)) <= room {
			kept = with
		}
	}
	return spaced(kept)
}

// remarks are what there is to say of a file: what matters most first, which stands at the right.
func (v *View) remarks(c draw.Canvas, f *File) []draw.Styled {
	parts := []draw.Styled{}
	if added, removed, known := v.counts(f); known {
		parts = append(parts, figures(c, added, removed))
	}
	parts = append(parts, flags(c, f)...)
	if n := len(v.Comments.of(f.Folder, f.Path)); n > 0 {
		parts = append(parts, c.Theme.Accent.Draw(sanitize.Line(words.Count(n, "comment"))))
	}
	if v.By != ByRun {
		parts = append(parts, c.Theme.Faint.Draw(c.CutWords(writers(f), 30)))
	}
	return parts
}

// flags say what a person should know of a file.
func flags(c draw.Canvas, f *File) []draw.Styled {
	var all []draw.Styled
	if f.Uncovered != "" {
		all = append(all, c.Theme.Warn.Draw("not covered"))
	}
	switch {
	case f.Conflict != "":
		all = append(all, c.Theme.Bad.Draw("in conflict"))
	case f.Left != "":
		all = append(all, c.Theme.Warn.Draw("not landed"))
	case f.There:
		all = append(all, c.Theme.Dim.Draw("there already"))
	}
	if f.Since {
		all = append(all, c.Theme.Warn.Draw("changed since"))
	}
	if f.TakenBack {
		all = append(all, c.Theme.Dim.Draw("taken back"))
	}
	if f.Landed {
		all = append(all, c.Theme.Good.Draw("landed"))
	}
	return all
}

func spaced(parts []draw.Styled) (line draw.Styled) {
	for i, part := range parts {
		if i > 0 {
			line += "  "
		}
		line += part
	}
	return line
}

// writers names who changed a file: the last, and how many others.
func writers(f *File) sanitize.Text {
	n := len(f.Writers)
	if n == 0 {
		return ""
	}
	last := sanitize.Line(f.Writers[n-1].Name)
	if n > 1 {
		return draw.Sprintf("%s +%d", last, n-1)
	}
	return last
}
