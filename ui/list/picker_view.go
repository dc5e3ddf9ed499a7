package list

import (
	"strings"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// pickerRoom is how many lines the parts of a picker take.
type pickerRoom struct{ Rows, preview int }

// Room divides the screen's height: the list gets two thirds of it, or all of a low screen. It
// does not depend on the typed text, so nothing jumps.
func (p *Picker[M]) Room(height int) pickerRoom {
	all := height - 1 // the status line
	if height >= draw.BorderedFrom {
		all = height*2/3 - 1 // the border below
	}
	all -= 2 // the rule or border above, and the typed text
	if len(p.Heads) > 0 && height >= draw.BorderedFrom {
		all--
	}
	if p.Aside != "" {
		all--
	}
	r := pickerRoom{Rows: max(1, min(len(p.Rows), all))}
	if p.previews && height >= draw.BorderedFrom {
		r.preview = min(max(3, all/3), all-1)
		r.Rows = max(1, min(len(p.Rows), all-r.preview-1))
	}
	return r
}

// besideFrom is the least width for a preview beside the rows: below it, they need the whole
// width.
const besideFrom = 160

// widestBeside is the most that rows and a preview beside them take: the rows no more than half
// of it, the preview what prose may have.
const widestBeside = 200

// counted says how many rows match, of how many.
func (p *Picker[M]) counted() sanitize.Text {
	switch kept, all := len(p.List.Kept), len(p.Rows); {
	case all == 0:
		return ""
	case kept == all:
		return draw.Sprintf(" %d ", all)
	default:
		return draw.Sprintf(" %d of %d ", kept, all)
	}
}

// renderWords draws the title and the typed text, or the end of it if it is long. x is the
// cursor's column.
func (p *Picker[M]) renderWords(c draw.Canvas) (line draw.Styled, x int) {
	title := c.Cut(p.Title, max(4, c.Width-12))
	line = c.Theme.Strong.Draw(title) + " " + c.Theme.Accent.Draw(c.Glyphs.Prompt) + " "
	x = draw.Cells(line)
	if p.Words == "" {
		return line + c.Theme.Faint.Draw(c.Cut("type to search", c.Width-x)), x
	}
	words := draw.KeepEnd(sanitize.Line(p.Words), max(1, c.Width-x-1))
	return line + c.Theme.Text.Draw(words), x + draw.Cells(words)
}

// renderRows draws the rows around the mark, under their headings, in room lines.
func (p *Picker[M]) renderRows(c draw.Canvas, room, height int) []draw.Styled {
	widths := p.fitting(c.Width)
	var lines []draw.Styled
	if len(p.Heads) > 0 && height >= draw.BorderedFrom {
		room++
		lines = append(lines, "    "+p.row(c, p.Heads, widths, func(i int, t sanitize.Text) draw.Styled { return c.Theme.Faint.Draw(t) }))
	}
	first, last := p.List.Window(room - len(lines))
	for i := first; i < last; i++ {
		found := p.List.Kept[i]
		lines = append(lines, p.renderRow(c, p.Rows[found.Index], found.Hits, i == p.List.At, widths))
	}
	if first == last {
		words := p.Empty
		if len(p.Rows) > 0 {
			words = "nothing matches: ctrl+u clears the search"
		}
		lines = append(lines, "    "+c.Theme.Faint.Draw(c.Cut(words, c.Width-4)))
	}
	for len(lines) < room {
		lines = append(lines, "")
	}
	return lines
}

// worth is the least width in which the start of a last column is still useful.
const worth = 12

// fitting returns the widths of the columns that fit, the name first. The last of all may be
// cut.
func (p *Picker[M]) fitting(width int) []int {
	if len(p.columns) == 0 {
		return nil
	}
	widths := []int{min(p.columns[0], max(16, width*2/5))}
	room := width - 4 - widths[0]
	for i, column := range p.columns[1:] {
		if last := i == len(p.columns)-2; column+2 > room && last && room-2 >= worth {
			column = room - 2
		}
		if column > 0 && column+2 > room {
			break
		}
		if widths = append(widths, column); column > 0 {
			room -= column + 2
		}
	}
	widths[0] = min(p.columns[0], widths[0]+room)
	return widths
}

// row draws cells in their columns; empty columns take no room.
func (p *Picker[M]) row(c draw.Canvas, of []sanitize.Text, widths []int, cell func(int, sanitize.Text) draw.Styled) draw.Styled {
	var line draw.Styled
	for i := range min(len(widths), len(of)) {
		if widths[i] == 0 {
			continue
		}
		if line != "" {
			line += "  "
		}
		line += draw.Pad(cell(i, c.Cut(of[i], widths[i])), widths[i])
	}
	return draw.Fit(line, draw.Cells(draw.Styled(strings.TrimRight(string(line), " "))))
}

// renderRow draws one row; the marked one is distinct without colour too.
func (p *Picker[M]) renderRow(c draw.Canvas, e Entry[M], hits []int, marked bool, widths []int) draw.Styled {
	lead, look := draw.Styled("  "), c.Theme.Text
	if marked {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	dim := e.Tone.Paint(c.Theme)
	sign := dim.Draw(e.Sign)
	if e.On {
		sign = c.Theme.Good.Draw(c.Glyphs.Done)
	}
	lead += draw.Pad(sign, 2)
	room := c.Width - 4
	if e.Key != "" {
		room -= draw.Cells(e.Key) + 2
	}
	line := p.row(c, e.cells(), widths, func(i int, t sanitize.Text) draw.Styled {
		if i > 0 {
			return dim.Draw(t)
		}
		return draw.Highlight(c.Cut(t, room), hits, look, c.Theme.Accent)
	})
	return c.Between(lead+line, c.Theme.Dim.Draw(e.Key))
}

// renderPreview draws the preview of the marked row.
func (p *Picker[M]) renderPreview(c draw.Canvas, height int) []draw.Styled {
	lines := make([]draw.Styled, 0, height)
	if row := p.Marked(); row != nil {
		for _, text := range row.Preview {
			lines = append(lines, c.Narrow(2).Paragraph(c.Theme.Dim, text)...)
		}
	}
	if over := len(lines) - height; over > 0 {
		if p.Marked().Last {
			lines = lines[over:]
		}
		lines = lines[:height]
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines
}

// Render draws the picker on a screen of this height, and returns the cursor's position in it.
func (p *Picker[M]) Render(c draw.Canvas, height int) (lines []draw.Styled, y, x int) {
	room := p.Room(height)
	beside := room.preview > 0 && c.Width >= besideFrom
	frame := c.Content()
	if beside {
		frame.Width = min(c.Width, widestBeside)
	}
	c = frame.Inside()
	typed, x := p.renderWords(c)
	lines = append(lines, typed)
	if beside {
		left := c
		left.Width = c.Width/2 + 4
		rows := p.renderRows(left, room.Rows+room.preview, height)
		right := p.renderPreview(c.Narrow(left.Width+3), len(rows))
		for i, row := range rows {
			lines = append(lines, draw.Pad(row, left.Width)+" "+c.Theme.Faint.Draw(c.Glyphs.Bar)+" "+right[i])
		}
	} else {
		lines = append(lines, p.renderRows(c, room.Rows, height)...)
		if room.preview > 0 {
			lines = append(lines, c.Ruled(""))
			lines = append(lines, p.renderPreview(c, room.preview)...)
		}
	}
	if p.Aside != "" {
		lines = append(lines, "  "+c.Theme.Faint.Draw(c.Cut(p.Aside, c.Width-2)))
	}
	above, _ := frame.FrameRows()
	return frame.Framed(p.counted(), lines), above, x + frame.FrameCells()
}
