package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/changes"
	"pawl/ui/composer"
	"pawl/ui/pane"
	"pawl/ui/scroll"
	"pawl/ui/transcript"
)

// hits is what stands where in the last picture, for the mouse: in a pane, or below two.
type hits struct {
	pane  pane.Pane
	top   int                   // the first row of the conversation
	room  int                   // how many it has
	rows  []scroll.Row          // from there
	cards []lifecycle.SessionID // of the pinned cards, from their row
	below int                   // the first row below the conversation
	layout
}

// wheel scrolls what stands in front or, where that is a conversation, the one under the
// mouse, which does not get the focus by that.
func (m *model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	by := 0
	switch msg.Button {
	case tea.MouseWheelUp:
		by = -3
	case tea.MouseWheelDown:
		by = 3
	default:
		return nil
	}
	m.disarm()
	if m.at()&(atChanges|atComment) != 0 {
		return m.inChanges(func(v *changes.View) { v.Wheel(msg.X, msg.Y-m.picture.hits.top, by) })
	}
	if m.at()&(answering|atReason|atPicker|atDenials|atRewind|atHelp|atDashboard|atFilter) == 0 {
		for _, p := range m.panes() {
			if p.Session != m.open && p.Holds(msg.X) {
				return m.scrollPane(p, by)
			}
		}
	}
	return m.scroll(by)
}

// click is the left button: on a card or a subagent's block it opens the session, on
// the first line of a block it opens or folds that, on any other line it opens it; in
// the composer it sets the cursor. In front of everything else it does nothing.
func (m *model) click(msg tea.MouseClickMsg) tea.Cmd {
	at := m.at()
	board := m.dashboard != nil && at&(atDashboard|atFilter|atQuestion) != 0
	if msg.Button != tea.MouseLeft || !m.picture.ready || !board && at&(working|atChanges|atCompletion|atBlock|atSearch|atRecorded) == 0 {
		return nil
	}
	m.disarm()
	switch {
	case board:
		return m.clickDashboard(msg)
	case at == atChanges:
		return m.inChanges(func(v *changes.View) { v.Click(msg.X, msg.Y-m.picture.hits.top) })
	}
	h := m.picture.hits
	if n := msg.Y - h.below - h.cardsAt; n >= 0 && n < len(h.cards) && h.cards[n] != "" {
		return m.openLine(h.cards[n])
	}
	for _, h := range m.picture.panes {
		if h.pane.Holds(msg.X) && msg.Y < h.below+len(h.bottom) {
			return m.clickPane(h, msg)
		}
	}
	return nil
}

// clickPane is a click into a pane, which gets the focus.
func (m *model) clickPane(h hits, msg tea.MouseClickMsg) (turned tea.Cmd) {
	if h.pane.Session != m.open {
		turned = m.show(h.pane.Session)
	}
	if n := msg.Y - h.top; n >= 0 && n < len(h.rows) {
		return tea.Batch(turned, m.clickBlock(h.rows[n]))
	}
	if n := msg.Y - h.below - h.lineAt; n >= 0 && n < h.lineRows && m.at() != atSearch {
		m.stopReading()
		m.card, m.chosen = "", ""
		m.line().MoveToCell(h.first+n, msg.X-h.pane.X-2, h.pane.Width-composer.Margin)
	}
	return turned
}

// clickBlock is a click on one line of a block.
func (m *model) clickBlock(row scroll.Row) tea.Cmd {
	talk := m.talk(m.open)
	if row.Line < 0 || row.Block >= len(talk.Blocks) {
		return nil
	}
	b := talk.Blocks[row.Block]
	if m.reader != nil {
		m.reader.block = b
	}
	if runs := m.runsOn(talk, row.Block); len(runs) > 0 {
		return m.show(runs[len(runs)-1].Run.Session)
	}
	open := b.Folding == transcript.Unfolded || b.Folding == transcript.AsScreen && m.details
	if row.Line == 0 || !open {
		m.toggleBlock(talk, row.Block)
	}
	return nil
}

// clickDashboard selects what was clicked; a click on the row that is selected opens it.
func (m *model) clickDashboard(msg tea.MouseClickMsg) tea.Cmd {
	hit, again := m.dashboard.Click(m.boardSource(), msg.X, msg.Y-m.picture.hits.top)
	switch {
	case again:
		return m.openLane()
	case !hit:
		return nil
	}
	return m.readTail()
}
