package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/scroll"
	"pawl/ui/transcript"
)

// hits is what stands where in the last picture, for the mouse.
type hits struct {
	top   int                   // the first row of the conversation
	rows  []scroll.Row          // from there
	cards []lifecycle.SessionID // of the pinned cards, from their row
	below int                   // the first row below the conversation
	layout
}

// click is the left button: on a card or a subagent's block it opens the session, on
// the first line of a block it opens or folds that, on any other line it opens it; in
// the composer it sets the cursor. In front of everything else it does nothing.
func (m *model) click(msg tea.MouseClickMsg) tea.Cmd {
	if msg.Button == tea.MouseLeft && m.dashboard != nil && m.at()&(atDashboard|atFilter|atQuestion) != 0 && m.picture.ready {
		return m.clickDashboard(msg)
	}
	if msg.Button != tea.MouseLeft || m.at()&(working|atCompletion|atBlock|atSearch|atRecorded) == 0 || !m.picture.ready {
		return nil
	}
	h := m.picture.hits
	if n := msg.Y - h.top; n >= 0 && n < len(h.rows) {
		return m.clickBlock(h.rows[n])
	}
	if n := msg.Y - h.below - h.cardsAt; n >= 0 && n < len(h.cards) && h.cards[n] != "" {
		return m.show(h.cards[n])
	}
	if n := msg.Y - h.below - h.lineAt; n >= 0 && n < h.lineRows && m.at() != atSearch {
		m.stopReading()
		m.card, m.chosen = "", ""
		m.disarm()
		m.line().MoveToCell(h.first+n, msg.X-2, m.width-composer.Margin)
	}
	return nil
}

// clickBlock is a click on one line of a block.
func (m *model) clickBlock(row scroll.Row) tea.Cmd {
	talk := m.talk(m.open)
	if row.Line < 0 || row.Block >= len(talk.Blocks) {
		return nil
	}
	m.disarm()
	m.changed()
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
	m.disarm()
	hit, again := m.dashboard.Click(m.boardSource(), msg.X, msg.Y-m.picture.hits.top)
	switch {
	case again:
		return m.openLane()
	case !hit:
		return nil
	}
	m.changed()
	return m.readTail()
}
