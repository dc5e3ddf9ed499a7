package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/dock"
	"pawl/ui/draw"
	"pawl/ui/pane"
	"pawl/ui/wording"
)

// panes are the sessions that are shown, from the left.
func (m *model) panes() []pane.Pane { return m.split.Panes(m.runs.Root(), m.open, m.width) }

// pane is the one with the focus.
func (m *model) pane() pane.Pane {
	if !m.sideBySide() {
		return pane.Pane{Session: m.open, Width: m.width}
	}
	left, right := m.split.Sides(m.runs.Root(), m.width)
	if left.Session != m.open {
		return right
	}
	return left
}

// sideBySide reports whether a subagent's session stands beside the conversation.
func (m *model) sideBySide() bool { return m.split.Both(m.runs.Root(), m.open, m.width) }

// shows reports whether a session is on the screen.
func (m *model) shows(session lifecycle.SessionID) bool {
	return session == m.open || m.sideBySide() && (session == m.runs.Root() || session == m.split.Beside)
}

// show gives a session the focus. A subagent's opens beside the conversation or, where
// that is off or has no room, over it.
func (m *model) show(session lifecycle.SessionID) tea.Cmd {
	m.disarm()
	m.stopReading() // what a search has gathered is of the session that is left
	turned := m.turn(func() {
		m.open = session
		switch {
		case session != m.runs.Root():
			m.split.Open(session)
		case !m.sideBySide():
			m.split.Beside = "" // who goes back on a narrow screen is done with it
		}
	})
	m.card, m.chosen = "", ""
	return tea.Batch(turned, m.fill())
}

// otherSide gives the focus to the other one of two sessions.
func (m *model) otherSide() tea.Cmd {
	for _, p := range m.panes() {
		if p.Session != m.open {
			return m.show(p.Session)
		}
	}
	return nil
}

// back leaves a card for the line, and a view for the parent.
func (m *model) back() tea.Cmd {
	if m.card != "" {
		return m.toComposer()
	}
	turned := m.turn(func() { m.open, m.split.Beside = m.runs.Root(), "" })
	return tea.Batch(turned, m.show(m.runs.Root()))
}

func (m *model) toComposer() tea.Cmd {
	m.card = ""
	return nil
}

func (m *model) lineEmpty() bool { return m.line().Empty() }

// cycle opens the next subagent, or the one before. Beside the conversation it comes without
// the focus, where the conversation has that.
func (m *model) cycle(by int) tea.Cmd {
	all := m.runs.Sessions
	if len(all) == 0 {
		m.say(draw.Quiet, "no subagents yet")
		return nil
	}
	from, stays := m.target(), m.sideBySide() && m.target() == m.runs.Root()
	if stays {
		from = m.split.Beside
	}
	at := slices.Index(all, from)
	switch {
	case at >= 0:
		at = (at + by + len(all)) % len(all)
	case by < 0:
		at = len(all) - 1
	default:
		at = 0
	}
	if stays {
		return m.putBeside(all[at])
	}
	return m.show(all[at])
}

// up moves in the line or, on its first row, back in the history.
func (m *model) up() tea.Cmd {
	if line := m.line(); !line.Vertical(-1, m.pane().Width-composer.Margin) {
		line.Recall(1)
	}
	return nil
}

// down moves in the line or, on its last row, forth in the history, and then to
// the cards.
func (m *model) down() tea.Cmd {
	line := m.line()
	if !line.Vertical(1, m.pane().Width-composer.Margin) && (line.Browsed == 0 || !line.Recall(-1)) {
		if lines := m.docked(); len(lines) > 0 {
			m.card = lines[0].ID()
		}
	}
	return nil
}

// nextCard moves among the cards; past either end is the line.
func (m *model) nextCard(by int) tea.Cmd {
	lines := m.docked()
	at := dock.At(lines, m.card) + by
	if at < 0 || at >= len(lines) {
		return m.toComposer()
	}
	m.card = lines[at].ID()
	return nil
}

// putBeside puts a subagent's session beside the conversation and leaves the focus where it is.
func (m *model) putBeside(session lifecycle.SessionID) tea.Cmd {
	turned := m.turn(func() { m.split = pane.Split{Beside: session} })
	return tea.Batch(turned, m.fill())
}

// splitOff is the value of the setting with which a session that is opened covers the conversation.
const splitOff = "off"

// splitTyped puts a subagent's session beside the conversation, or leaves the one with the
// focus alone on the screen.
func (m *model) splitTyped(string) tea.Cmd {
	session := m.worthASide()
	switch {
	case m.sideBySide():
		m.say(draw.Quiet, "a subagent's session covers the conversation from now on; /split puts it beside again")
		turned := m.turn(func() { m.split = pane.Split{Off: true} })
		return tea.Batch(turned, m.fill())
	case m.width < pane.Least:
		m.say(draw.Quiet, draw.Sprintf("side by side needs %d columns; this screen has %d", pane.Least, m.width))
		return nil
	case session == "":
		m.say(draw.Quiet, "no subagents yet")
		return nil
	}
	m.card = ""
	m.say(draw.Quiet, draw.Sprintf("beside the conversation: %s · tab changes sides, /split ends it", wording.Name(m.runs.Latest(session))))
	return m.putBeside(session)
}

// worthASide is the subagent whose session a person most likely wants beside the
// conversation: the one that has the focus, else the newest that runs, else the newest.
func (m *model) worthASide() lifecycle.SessionID {
	if at := m.target(); at != m.runs.Root() && m.runs.Latest(at).ID != "" {
		return at
	}
	var newest lifecycle.SessionID
	for _, session := range slices.Backward(m.runs.Sessions) {
		switch run := m.runs.Latest(session); {
		case run.Shell():
		case run.State == lifecycle.StateRunning:
			return session
		case newest == "":
			newest = session
		}
	}
	return newest
}

func (m *model) openCard() tea.Cmd { return m.openLine(m.card) }

// openLine opens the session of a line, or unfolds or folds the ends that went well.
func (m *model) openLine(id lifecycle.SessionID) tea.Cmd {
	if id != dock.Ends {
		return m.show(id)
	}
	m.dock.Unfolded = !m.dock.Unfolded
	m.dock.Free = true
	return nil
}

// writeTo opens the composer of what a key is about.
func (m *model) writeTo() tea.Cmd {
	session := m.target()
	m.dashboard = nil
	return m.show(session)
}

// toggleDetails opens or folds the details of all blocks.
func (m *model) toggleDetails() tea.Cmd {
	m.details = !m.details
	m.foldAsScreen()
	return nil
}

func (m *model) openHelp() tea.Cmd {
	m.help = &draw.Body{}
	return nil
}

func (m *model) closeHelp() tea.Cmd {
	m.help = nil
	return nil
}
