package fleet

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// picture is the last screen that was drawn. It stands until something changes.
type picture struct {
	ready       bool
	view        tea.View
	first, last int // the lines of the list in sight
	foot        int // rows below the list and the selected session
	wanted      int // rows that the selected session needs to show its question whole; 0: none
	list        int // the row in which the list begins
	left, rows  int // its columns and rows
	drawns      int // how often one was drawn, for tests
}

// View gives the screen: the last picture if nothing has changed since.
func (m *model) View() (view tea.View) {
	if m.picture.ready {
		return m.picture.view
	}
	defer crashed.InView(&m.crash, func() {
		m.picture.ready = true // or it would be drawn, and panic, again
		view = m.picture.view
	})
	m.picture.drawns++
	m.picture.view = m.draw()
	m.picture.ready = true
	return m.picture.view
}

func (m *model) draw() tea.View {
	view := tea.NewView("")
	view.AltScreen = true
	if !m.term.HoldsEsc {
		view.MouseMode = tea.MouseModeCellMotion // for the wheel
	}
	view.WindowTitle = string(m.title())
	m.picture.first, m.picture.last = 0, 0
	if m.width <= 0 || m.height <= 0 {
		return view
	}
	lines, y, x := m.drawRows()
	view.Content = m.content(lines)
	if y >= 0 {
		view.Cursor = tea.NewCursor(min(x, m.width-1), y)
		view.Cursor.Blink = !m.options.ReducedMotion
	}
	return view
}

// title is that of the window: who only sees that knows whether it is worth a look.
func (m *model) title() sanitize.Text {
	if n := m.board.counts[NeedsYou]; n > 0 {
		return draw.Sprintf("? pawl fleet (%s)", words.CountOf(n, "needs you", "need you"))
	}
	return "pawl fleet"
}

// drawRows draws all rows, and says where the cursor is; y < 0 for none.
func (m *model) drawRows() (lines []draw.Styled, y, x int) {
	c := m.canvas()
	foot, y, x := m.renderFoot(c)
	m.picture.foot = len(foot)
	lines = []draw.Styled{m.renderHead(c)}
	if m.help != nil {
		room := max(0, m.height-1-len(foot))
		m.asking.shows("", m.now())
		lines = append(lines, m.help.Seen()...)
		lines = append(filled(lines, 1+room), foot...)
		return fitted(lines, m.width, m.height), -1, 0
	}
	lines = append(lines, m.troubleShown()...)
	body := m.renderBody(c, len(lines))
	if l := m.layout(); foot[0] == "" {
		if foot[0] = c.Ruled(""); l.beside || !l.shown() {
			foot[0] = m.ruleBelow(c)
		}
	}
	lines = append(lines, body...)
	lines = append(filled(lines, m.height-len(foot)), foot...)
	if y >= 0 {
		y += len(lines) - len(foot)
		y -= max(0, len(lines)-m.height)
	}
	return fitted(lines, m.width, m.height), y, x
}

// filled adds blank lines up to a number.
func filled(lines []draw.Styled, upto int) []draw.Styled {
	for len(lines) < upto {
		lines = append(lines, "")
	}
	return lines
}

// fitted cuts lines to a width, and keeps the last ones of more than there is room for.
func fitted(lines []draw.Styled, width, height int) []draw.Styled {
	lines = lines[max(0, len(lines)-height):]
	for i, line := range lines {
		lines[i] = draw.Fit(line, width)
	}
	return lines
}

// renderBody draws the list and the selected session, below so many rows.
func (m *model) renderBody(c draw.Canvas, above int) []draw.Styled {
	shown, is := m.board.current()
	m.picture.wanted = m.wanted(c, &shown)
	l := m.layout()
	lines := make([]draw.Styled, l.gap, m.height)
	m.picture.list, m.picture.left, m.picture.rows = above+l.gap, l.left, l.list
	left := c
	left.Width = l.left
	m.board.space(l.list >= spaciousFrom)
	list := m.board.render(left, l.list, m.emptyWords())
	m.picture.first = m.board.top
	m.picture.last = min(len(m.board.lines), m.board.top+l.list)
	var whole lifecycle.QuestionID
	var side []draw.Styled
	if l.shown() && is {
		in := c.Narrow(1) // a margin: text does not touch the edge
		if l.beside {
			in = c.Narrow(l.left + 3)
		}
		side, whole = m.renderSession(in, &shown, l.pane)
	}
	m.asking.shows(whole, m.now())
	switch {
	case l.beside:
		return append(lines, c.Beside(list, l.left, side, l.list)...)
	case l.over && l.shown():
		return append(lines, side...)
	case l.shown():
		lines = append(lines, list...)
		lines = append(lines, m.ruleBelow(c))
		return append(lines, side...)
	}
	return append(lines, list...)
}

// ruleBelow is the rule below the list, with how many sessions are below what is in sight.
func (m *model) ruleBelow(c draw.Canvas) draw.Styled {
	if n := m.board.below(); n > 0 {
		return c.RuledAfter(c.Theme.Dim.Draw(draw.Sprintf("%d more", n)), "")
	}
	return c.Ruled("")
}

// emptyWords stand where the list has no line.
func (m *model) emptyWords() sanitize.Text {
	switch {
	case !m.arrived && m.broken != "":
		return ""
	case !m.arrived:
		return "reading"
	case len(m.board.sessions) > 0:
		return "nothing matches: esc clears the filter"
	}
	return "no sessions yet: + begins one in a folder"
}

// troubleShown is what of the trouble a screen has room for.
func (m *model) troubleShown() []draw.Styled {
	lines := m.renderTrouble(m.canvas())
	return lines[:min(len(lines), max(0, m.height-6))]
}

// content joins the lines.
func (m *model) content(lines []draw.Styled) string {
	var b strings.Builder
	bytes := len(lines)
	for _, line := range lines {
		bytes += len(line)
	}
	b.Grow(bytes)
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		if m.term.ASCII {
			line = draw.ASCII(line)
		}
		b.WriteString(string(line))
	}
	return b.String()
}
