package fleet

import (
	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// renderFoot draws what stands below everything: the line that takes what is typed, the answer to
// the last key, and what the keys do. y is the row of the cursor in it, < 0 for none.
func (m *model) renderFoot(c draw.Canvas) (lines []draw.Styled, y, x int) {
	y = -1
	if m.help != nil {
		m.help.Fill(m.coverLines(c), max(1, m.height-3))
		hint := sanitize.Text("esc close")
		if rest := m.help.Below(); rest > 0 {
			hint = draw.Sprintf("pgdn %d more  esc close", rest)
		}
		return []draw.Styled{c.Ruled(""), c.Content().Between("", c.Theme.Faint.Draw(hint))}, y, x
	}
	said := m.notice.Render(c)
	if m.input != nil {
		lines, y, x = m.renderInput(c, max(1, min(6, m.height/3)))
		if len(said) > 0 {
			return append(said[:1:1], lines...), y + 1, x
		}
		return lines, y, x
	}
	if lines = said; len(lines) == 0 {
		lines = []draw.Styled{""} // the rule, once it is known what is below the list
	}
	return append(lines, "  "+c.Theme.Faint.Draw(c.Cut(m.hint(), c.Width-2))), y, x
}

// hint is what the keys do, in as many words as there is room for.
func (m *model) hint() sanitize.Text {
	look := sanitize.Text("space look in")
	if l := m.layout(); l.shown() && l.over {
		look = "esc the list"
	} else if l.shown() {
		look = "space hide"
	}
	for _, hint := range []sanitize.Text{
		"↑ ↓ move  tab needs you  enter attach  " + look + "  m write  x x stop  / filter  + begin  ? keys  q leave",
		"enter attach  " + look + "  m write  x x stop  / filter  + begin  ? keys  q leave",
		"enter attach  " + look + "  / filter  + begin  ? keys",
		"enter attach  " + look + "  ? keys",
	} {
		if draw.Cells(hint)+2 <= m.width {
			return hint
		}
	}
	return "? keys"
}
