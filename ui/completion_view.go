package ui

import (
	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/list"
)

// completionRows is how many lines the list may take.
func completionRows(height int) int {
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

// renderCompletion draws the list; nothing while there is none.
func (m *model) renderCompletion(c draw.Canvas) []draw.Styled {
	if !m.completing() {
		return nil
	}
	list, rows := &m.completion.list, completionRows(m.height)
	hidden := len(list.Kept) - rows
	if hidden > 0 && rows > 3 {
		rows-- // for how many more there are
	}
	first, last := list.Window(rows)
	var lines []draw.Styled
	for i := first; i < last; i++ {
		lines = append(lines, m.renderCandidate(c, list.Kept[i], i == list.At && !m.completion.offhand()))
	}
	if hidden > 0 && rows > 3 {
		lines = append(lines, "  "+c.Theme.Faint.Draw(draw.Sprintf("%s %d more", c.Glyphs.More, hidden+1)))
	}
	return lines
}

func (m *model) renderCandidate(c draw.Canvas, f list.Found, marked bool) draw.Styled {
	words := m.completion.of[f.Index]
	lead, look := draw.Styled("  "), c.Theme.Dim
	if marked {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	line := lead + c.Tail(words, f.Hits, look, c.Width-4)
	if m.completion.part.offer != offerCommands {
		return line
	}
	command, _ := m.commandNamed("/" + words)
	line = draw.Pad(lead+look.Draw("/")+c.Tail(words, f.Hits, look, c.Width-4), m.widest()+5)
	return line + c.Theme.Faint.Draw(c.Cut(command.help, c.Width-draw.Cells(line)))
}

// widest is how many cells the longest of the candidates takes.
func (m *model) widest() int {
	widest := 0
	for _, f := range m.completion.list.Kept {
		widest = max(widest, draw.Cells(sanitize.Line(m.completion.of[f.Index])))
	}
	return widest
}

// completionHint says what takes a candidate, and what does not.
func (m *model) completionHint() sanitize.Text {
	if m.completion.offhand() {
		return "tab takes  esc closes"
	}
	return "enter takes  esc closes"
}
