package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/transcript"
)

// show opens a session's view; the root's is the first one.
func (m *model) show(session lifecycle.SessionID) tea.Cmd {
	m.disarm()
	m.stopReading() // what a search has gathered is of the session that is left
	turned := m.enterView(session)
	m.card, m.chosen = "", ""
	return tea.Batch(turned, m.fill())
}

// back leaves a card for the line, and a view for the parent.
func (m *model) back() tea.Cmd {
	if m.card != "" {
		return m.toComposer()
	}
	return m.show(m.runs.Root())
}

func (m *model) toComposer() tea.Cmd {
	m.disarm()
	m.card = ""
	m.changed()
	return nil
}

func (m *model) lineEmpty() bool { return m.line().Empty() }

// cycle opens the next subagent, or the one before.
func (m *model) cycle(by int) tea.Cmd {
	m.disarm()
	all := m.runs.Sessions
	if len(all) == 0 {
		m.say(draw.Quiet, "no subagents yet")
		return nil
	}
	at := slices.Index(all, m.target())
	switch {
	case at >= 0:
		at = (at + by + len(all)) % len(all)
	case by < 0:
		at = len(all) - 1
	default:
		at = 0
	}
	return m.show(all[at])
}

// up moves in the line or, on its first row, back in the history.
func (m *model) up() tea.Cmd {
	m.disarm()
	line := m.line()
	if line.Vertical(-1, m.width-composer.Margin) || line.Recall(1) {
		m.changed()
	}
	return nil
}

// down moves in the line or, on its last row, forth in the history, and then to
// the cards.
func (m *model) down() tea.Cmd {
	m.disarm()
	line := m.line()
	if !line.Vertical(1, m.width-composer.Margin) && (line.Browsed == 0 || !line.Recall(-1)) {
		if cards := m.cards(); len(cards) > 0 {
			m.card = cards[0].Run.Session
		}
	}
	m.changed()
	return nil
}

// nextCard moves among the cards; past either end is the line.
func (m *model) nextCard(by int) tea.Cmd {
	m.disarm()
	cards := m.cards()
	at := slices.IndexFunc(cards, func(c transcript.Card) bool { return c.Run.Session == m.card }) + by
	if at < 0 || at >= len(cards) {
		return m.toComposer()
	}
	m.card = cards[at].Run.Session
	m.changed()
	return nil
}

func (m *model) openCard() tea.Cmd { return m.show(m.card) }

// writeTo opens the composer of what a key is about.
func (m *model) writeTo() tea.Cmd {
	session := m.target()
	m.dashboard = nil
	return m.show(session)
}

// toggleDetails opens or folds the details of all blocks.
func (m *model) toggleDetails() tea.Cmd {
	m.disarm()
	m.details = !m.details
	m.foldAsScreen()
	m.changed()
	return nil
}

func (m *model) openHelp() tea.Cmd {
	m.disarm()
	m.help = &draw.Body{}
	m.changed()
	return nil
}

func (m *model) closeHelp() tea.Cmd {
	m.help = nil
	m.changed()
	return nil
}
