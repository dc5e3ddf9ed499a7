package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
)

// Opened is what Options.Open gives, for the fields of the same names.
type Opened struct {
	Snapshot lifecycle.Snapshot
	Tail     []lifecycle.Record
}

// begin shows what the options hold of the root session.
func (m *model) begin() {
	m.runs = newRoster(m.options.Snapshot)
	m.talks = map[lifecycle.SessionID]*conversation{}
	root := m.talk(m.runs.root)
	for _, rec := range m.options.Tail {
		root.fold(rec)
	}
	root.complete = m.options.Snapshot.Seq == 0 || root.complete
	m.greet(root)
}

// reopen takes the session whole, where the first frames had only its end. What was
// typed in the meantime stands.
func (m *model) reopen(whole Opened) tea.Cmd {
	view := m.viewOf(m.runs.root)
	at := view.mark(m.talk(m.runs.root))
	m.options.Snapshot, m.options.Tail = whole.Snapshot, whole.Tail
	m.begin()
	m.stopReading() // its blocks are other ones now
	view.find(m.talk(m.runs.root), at)
	m.changed()
	return m.fill()
}
