package completion

import (
	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/list"
)

// rowsOf is how many lines the list may take of a screen.
func rowsOf(height int) int {
	switch {
	case height >= 30:
		return 8
	case height >= 18:
		return 6
	case height >= 10:
		return 3
	}
	return 1
}

// Render draws the list for a screen of this height.
func (l *List) Render(c draw.Canvas, height int) []draw.Styled {
	rows := rowsOf(height)
	hidden := len(l.list.Kept) - rows
	if hidden > 0 && rows > 3 {
		rows-- // for how many more there are
	}
	first, last := l.list.Window(rows)
	var lines []draw.Styled
	for i := first; i < last; i++ {
		lines = append(lines, l.renderOne(c, l.list.Kept[i], i == l.list.At && !l.Offhand()))
	}
	if hidden > 0 && rows > 3 {
		lines = append(lines, "  "+c.Theme.Faint.Draw(draw.Sprintf("%s %d more", c.Glyphs.More, hidden+1)))
	}
	return lines
}

func (l *List) renderOne(c draw.Canvas, f list.Found, marked bool) draw.Styled {
	words := l.of[f.Index]
	lead, look := draw.Styled("  "), c.Theme.Dim
	if marked {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	if l.help == nil {
		return lead + c.Tail(words, f.Hits, look, c.Width-4)
	}
	line := draw.Pad(lead+look.Draw("/")+c.Tail(words, f.Hits, look, c.Width-4), l.widest()+5)
	return line + c.Theme.Faint.Draw(c.Cut(l.help[f.Index], c.Width-draw.Cells(line)))
}

// widest is how many cells the longest of the candidates takes.
func (l *List) widest() int {
	widest := 0
	for _, f := range l.list.Kept {
		widest = max(widest, draw.Cells(sanitize.Line(l.of[f.Index])))
	}
	return widest
}

// Hint says what takes a candidate, and what does not.
func (l *List) Hint() sanitize.Text {
	if l.Offhand() {
		return "tab takes  esc closes"
	}
	return "enter takes  esc closes"
}
