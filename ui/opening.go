package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/transcript"
)

// Opened is what Options.Open gives, for the fields of the same names.
type Opened struct {
	Snapshot lifecycle.Snapshot
	Tail     []lifecycle.Record
}

// begin shows what the options hold of the root session.
func (m *model) begin() {
	m.runs = transcript.NewRuns(m.options.Snapshot)
	m.talks = map[lifecycle.SessionID]*transcript.Conversation{}
	root := m.talk(m.runs.Root())
	for _, rec := range m.options.Tail {
		if rec.Seq <= m.options.Snapshot.Seq { // what came after it is for the watch to bring
			root.Fold(rec)
		}
	}
	root.Complete = m.options.Snapshot.Seq == 0 || root.Complete
	m.greet(root)
}

// reopen takes the session whole, where the first frames had only its end. What was
// read, opened, looked for or typed in the meantime stands.
func (m *model) reopen(whole Opened) tea.Cmd {
	before := m.talk(m.runs.Root())
	view := m.viewOf(m.runs.Root())
	at, blocks := view.mark(before), len(before.Blocks)
	m.options.Snapshot, m.options.Tail = whole.Snapshot, joined(before.Records, whole.Tail)
	m.begin()
	root := m.talk(m.runs.Root())
	root.TakeOver(before)
	view.find(root, at)
	view.known += len(root.Blocks) - blocks
	if m.search != nil {
		m.gather()
	}
	m.changed()
	return tea.Batch(m.toOldest(), m.keepUp(), m.fill())
}

// joined is the end of a log behind what was read of it before; the end alone where
// something between the two is not there.
func joined(before, end []lifecycle.Record) []lifecycle.Record {
	if len(before) == 0 {
		return end
	}
	last := before[len(before)-1].Seq
	at := slices.IndexFunc(end, func(rec lifecycle.Record) bool { return rec.Seq == last })
	if at < 0 {
		return end
	}
	return append(before[:len(before):len(before)], end[at+1:]...)
}
