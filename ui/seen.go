package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/transcript"
)

// Seen is what a person has seen of a session. It is another thing than what the
// parent's model has read.
type Seen struct {
	// Upto is the newest record that stood on its view when that was left.
	Upto lifecycle.Seq `json:"upto"`
	// End is the newest run whose end was on it; empty for none.
	End lifecycle.RunID `json:"end,omitempty"`
	// Away is the newest run whose card was put away after its end; empty for none.
	Away lifecycle.RunID `json:"away,omitempty"`
}

// unread reports whether a run has ended and nobody has opened its session since. Who
// stopped it knows of the end; of the root all is seen.
func (m *model) unread(run lifecycle.Run) bool {
	return !m.recorded() && run.Child() && run.State.Terminal() && run.State != lifecycle.StateCanceledByUser &&
		m.runs.Latest(run.Session).ID == run.ID && m.seen[run.Session].End != run.ID
}

// enterView opens a view: what came since it was left is marked, for as long as it
// stays open.
func (m *model) enterView(session lifecycle.SessionID) tea.Cmd {
	if session == m.open {
		return nil
	}
	left := tea.Batch(m.noteSeen(m.runs.Seq()), m.takeLeave())
	m.open, m.since = session, m.seen[session].Upto
	m.dock.Rows = 0
	return tea.Batch(left, m.noteEnd())
}

// takeLeave says that a person who has written to the subagent that is shown looks at it
// no more.
func (m *model) takeLeave() tea.Cmd {
	if !m.writtenTo[m.open] {
		return nil
	}
	delete(m.writtenTo, m.open)
	return m.do(lifecycle.Leave{Session: m.open})
}

// noteEnd takes the end of the run that is shown for seen.
func (m *model) noteEnd() tea.Cmd {
	if !m.unread(m.runs.Latest(m.open)) {
		return nil
	}
	return m.noteSeen(m.seen[m.open].Upto)
}

// noteSeen notes how far the session that is shown was seen, and keeps that.
func (m *model) noteSeen(upto lifecycle.Seq) tea.Cmd {
	session, seen := m.open, m.seen[m.open]
	seen.Upto = upto
	if run := m.runs.Latest(session); run.State.Terminal() {
		seen.End = run.ID
	}
	m.talk(session).Seen(upto)
	return m.keepSeen(session, seen)
}

// keepSeen keeps what was seen of a session, also for the next process.
func (m *model) keepSeen(session lifecycle.SessionID, seen Seen) tea.Cmd {
	m.seen[session] = seen
	save := m.options.SaveSeen
	if save == nil || session == m.runs.Root() {
		return nil
	}
	return safely(func() tea.Msg {
		save(session, seen)
		return nil
	})
}

// sinceLooked are the words of the line above what is new.
const sinceLooked sanitize.Text = "new since you looked"

// aboveNew is the gap before the first block that came since the view was left, and
// the row of it on which that is said.
const aboveNew, saidNew = 3, 1

// beginsNew reports whether a block is that one.
func (m *model) beginsNew(talk *transcript.Conversation, i int) bool {
	return talk.Session == m.open && m.since != 0 && i > 0 &&
		talk.Blocks[i].After(m.since) && !talk.Blocks[i-1].After(m.since)
}
