package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/dock"
	"pawl/ui/draw"
	"pawl/ui/pane"
	"pawl/ui/scroll"
)

// picture is the last screen that was drawn. It stands until something changes.
type picture struct {
	ready  bool
	view   tea.View
	room   int    // the rows that the conversation with the focus had
	hits   hits   // of the pane that is alone, or of what stands below two
	panes  []hits // of each pane
	filter int    // the column in which the dashboard's filter takes what is typed; < 0 for none
	drawns int    // how often one was drawn, for tests
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
	m.signal(&view)
	if m.width <= 0 || m.height <= 0 {
		return view
	}
	lines, y, x := m.drawRows()
	view.Content = m.content(lines)
	if y >= 0 {
		view.Cursor = m.caret(min(x, m.width-1), y)
	}
	return view
}

// drawRows draws all rows, and says where the cursor is; y < 0 for none.
func (m *model) drawRows() (lines []draw.Styled, y, x int) {
	if m.sideBySide() && m.help == nil && m.dashboard == nil && m.changes == nil {
		return m.drawBeside(m.split.Sides(m.runs.Root(), m.width))
	}
	p := pane.Pane{Session: m.open, Width: m.width}
	l := m.arrange(m.canvas(), p)
	lines, h := m.drawPane(p, l, m.height)
	h.cards = m.picture.hits.cards
	m.picture.hits, m.picture.panes = h, append(m.picture.panes[:0], h)
	if m.at() == atFilter && m.picture.filter >= 0 {
		return fitted(lines, m.width), h.top, m.picture.filter
	}
	return fitted(lines, m.width), below(h), l.x
}

// drawBeside draws two panes, and what stands below them.
func (m *model) drawBeside(left, right pane.Pane) (lines []draw.Styled, y, x int) {
	c, both := m.canvas(), []pane.Pane{left, right}
	layouts := []layout{m.arrangeSide(m.canvasOf(left), left), m.arrangeSide(m.canvasOf(right), right)}
	foot := m.arrangeFoot(c, max(len(layouts[0].bottom), len(layouts[1].bottom)))
	height := m.height - len(foot.bottom)
	m.picture.hits = hits{layout: foot, below: height, cards: m.picture.hits.cards}
	y, x = below(m.picture.hits), foot.x
	var sides [2][]draw.Styled
	panes := make([]hits, 2)
	for i, p := range both {
		l := layouts[i]
		l.keepLast(height)
		sides[i], panes[i] = m.drawPane(p, l, height)
		if l.y >= 0 {
			y, x = below(panes[i]), p.X+l.x
		}
	}
	m.picture.panes = panes
	return append(pane.Join(c, left, sides[0], right, sides[1]), fitted(foot.bottom, m.width)...), y, x
}

// arrangeSide is arrange for one of two panes: without what stands below both.
func (m *model) arrangeSide(c draw.Canvas, p pane.Pane) layout {
	s := sharesOf(m.height)
	l := layout{y: -1}
	m.arrangeHead(c, p.Session, &l)
	focused := p.Session == m.open
	switch at := m.at(); {
	case at&fronts != 0:
	case at == atRecall && focused:
		l.bottom, l.y, l.x = m.recalling.Render(c, s.line, s.rule > 0)
	default:
		m.arrangeNow(c, s, p.Session, &l)
		if m.recorded() && (m.search == nil || !focused) {
			l.bottom = append(l.bottom, m.renderRule(c, p.Session, dock.Sums{}, 0))
		} else {
			m.arrangeLine(c, s, p.Session, dock.Sums{}, &l)
		}
	}
	return l
}

// arrangeFoot draws what stands below two panes, which have so many rows below their
// conversations.
func (m *model) arrangeFoot(c draw.Canvas, beside int) layout {
	s := sharesOf(m.height)
	l := layout{y: -1}
	if m.at()&fronts != 0 {
		m.arrangeFront(c, &l)
	} else {
		m.arrangeCards(c, beside+s.status, &l)
	}
	m.arrangeStatus(c, s, &l)
	return l
}

// arrangeCards draws the cards below both panes, the sums on the rule above them, and the answer to
// the last key. Of a recording, which has rules on both sides, the sums stand above its line.
func (m *model) arrangeCards(c draw.Canvas, others int, l *layout) {
	notices, sums := m.renderNotices(c), m.sums().Words(c, c.Width-8)
	var rule, line []draw.Styled
	if sharesOf(m.height).rule > 0 && (sums != "" || m.anyDocked()) {
		rule = []draw.Styled{c.RuledAfter(sums, "")}
	}
	if m.recorded() {
		rule, line = nil, append(rule, m.renderRecording(c))
	}
	l.bottom = rule
	m.arrangeDock(c, m.dockRoom(others+len(rule)+len(notices)+len(line)), nil, l)
	l.bottom = append(append(l.bottom, notices...), line...)
}

// fitted cuts lines to a width.
func fitted(lines []draw.Styled, width int) []draw.Styled {
	for i, line := range lines {
		lines[i] = draw.Fit(line, width)
	}
	return lines
}

// below is the row of a cursor that stands below a conversation; negative for none.
func below(h hits) int {
	if h.y < 0 {
		return -1
	}
	return h.below + h.y
}

// drawPane draws as many rows of a pane, none wider than it, and says what stands where.
func (m *model) drawPane(p pane.Pane, l layout, height int) ([]draw.Styled, hits) {
	room := max(0, height-len(l.bottom)-len(l.top))
	if room == 0 {
		l.top = nil
		room = max(0, height-len(l.bottom))
	}
	stage, rows := m.renderStage(p, room)
	lines := append(l.top[:len(l.top):len(l.top)], stage...)
	for len(lines) < height-len(l.bottom) {
		lines = append(lines, "")
	}
	h := hits{pane: p, top: len(l.top), room: room, rows: rows, below: len(lines), layout: l}
	return append(lines, l.bottom...), h
}

// renderStage draws the conversation of a pane and says what stands on its rows, or draws the
// help in its place.
func (m *model) renderStage(p pane.Pane, room int) ([]draw.Styled, []scroll.Row) {
	if p.Session == m.open {
		m.picture.room = room
	}
	c, _ := m.stageOf(p)
	switch {
	case m.help != nil:
		return m.renderHelp(c, room), nil
	case m.dashboard != nil:
		return m.renderDashboard(c, room), nil
	case m.changes != nil:
		return m.changes.Render(c, room), nil
	case len(m.talk(p.Session).Blocks) == 0:
		return m.welcome(c, p.Session, room), nil
	}
	return m.window(p, room)
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

// welcome is what stands where nothing has been said yet.
func (m *model) welcome(c draw.Canvas, session lifecycle.SessionID, room int) []draw.Styled {
	if session != m.runs.Root() || m.options.Snapshot.Seq > 0 || m.recorded() {
		return nil
	}
	lines := []draw.Styled{
		"",
		"  " + c.Theme.Accent.Draw("pawl") + " " + c.Theme.Faint.Draw(sanitize.Line(m.options.Version)),
		"",
	}
	hints := [][2]sanitize.Text{
		{"enter", "send what you want done here"},
		{"↓", "to the subagents, a line each"},
		{"@ /", "attach a file; list commands"},
		{"?", "show all keys"},
	}
	if m.options.Demo {
		lines = append(lines, m.demoWords(c.Narrow(4), room)...)
		lines = append(lines, "")
	}
	for _, h := range hints {
		lines = append(lines, "  "+draw.Pad(c.Theme.Dim.Draw(h[0]), 7)+c.Theme.Faint.Draw(c.Cut(h[1], c.Width-9)))
	}
	if m.unprotected != "" {
		lines = append(lines, "", "  "+c.Theme.Faint.Draw(c.Cut(sanitize.Line(m.unprotected), c.Width-2)))
	}
	return fitRows(lines, room)
}

// fitRows makes lines fit a room: blank ones go first, then the last.
func fitRows(lines []draw.Styled, room int) []draw.Styled {
	if len(lines) > room {
		lines = slices.DeleteFunc(lines, func(line draw.Styled) bool { return line == "" })
	}
	return lines[:min(len(lines), room)]
}

// demoWords says that a script answers, and how to have a model in its place: in a small room in
// one paragraph, else in two.
func (m *model) demoWords(c draw.Canvas, room int) []draw.Styled {
	head, how := sanitize.Text("DEMO: a script answers, with real subagents and real tools in this folder."),
		sanitize.Text("For a model in its place type /model, or quit and start pawl.")
	if m.options.Keyless {
		how = "With a key a model answers: it reads, plans, edits where you agree, and hands work to subagents of its own. " +
			"Quit (ctrl+d), run pawl login anthropic (or openai, gemini), and start pawl again. " +
			"ANTHROPIC_API_KEY and the like do too; OLLAMA_HOST, for models of your own, needs no key."
	}
	if room >= 12 {
		return slices.Concat(draw.Indent(c.Paragraph(c.Theme.Warn, head)), []draw.Styled{""}, draw.Indent(c.Paragraph(c.Theme.Text, how)))
	}
	how = "For a model: /model"
	if m.options.Keyless {
		how = "With a key a model does: quit, pawl login anthropic, pawl."
	}
	return draw.Indent(c.Paragraph(c.Theme.Warn, "DEMO: a script answers. "+how))
}
