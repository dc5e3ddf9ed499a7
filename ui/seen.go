package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/pane"
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

// turn changes which sessions are shown. Of one that is left it notes how far it was seen;
// in one that is entered what came since is marked, for as long as it stays open.
func (m *model) turn(change func()) tea.Cmd {
	var noted []tea.Cmd
	before := m.panes()
	change()
	for _, p := range before {
		if !m.shows(p.Session) {
			noted = append(noted, m.noteSeen(p.Session, m.runs.Seq()), m.takeLeave(p.Session))
		}
	}
	for _, p := range m.panes() {
		if !slices.ContainsFunc(before, func(was pane.Pane) bool { return was.Session == p.Session }) {
			m.viewOf(p.Session).since = m.newSince(p.Session)
			m.dock.Rows = 0
		}
	}
	return tea.Batch(append(noted, m.noteEnds())...)
}

// newSince is up to where a session that is opened was seen before; 0 where nothing has come
// since, for what comes now is watched.
func (m *model) newSince(session lifecycle.SessionID) lifecycle.Seq {
	upto := m.seen[session].Upto
	if m.runs.Latest(session).Seq <= upto {
		return 0
	}
	return upto
}

// takeLeave says that a person who has written to a subagent looks at it no more.
func (m *model) takeLeave(session lifecycle.SessionID) tea.Cmd {
	if !m.writtenTo[session] {
		return nil
	}
	delete(m.writtenTo, session)
	return m.do(lifecycle.Leave{Session: session})
}

// noteEnds takes the ends of the runs that are shown for seen.
func (m *model) noteEnds() tea.Cmd {
	var noted []tea.Cmd
	for _, p := range m.panes() {
		if m.unread(m.runs.Latest(p.Session)) {
			noted = append(noted, m.noteSeen(p.Session, m.seen[p.Session].Upto))
		}
	}
	return tea.Batch(noted...)
}

// noteSeen notes how far a session that is shown was seen, and keeps that.
func (m *model) noteSeen(session lifecycle.SessionID, upto lifecycle.Seq) tea.Cmd {
	seen := m.seen[session]
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
	all := m.options.Screens
	return func() tea.Msg {
		save(session, all.saw(session, seen))
		return nil
	}
}

// sinceLooked are the words of the line above what is new.
const sinceLooked sanitize.Text = "new since you looked"

// aboveNew is the gap before the first block that came since the view was left, and
// the row of it on which that is said.
const aboveNew, saidNew = 3, 1

// beginsNew reports whether a block is that one.
func (m *model) beginsNew(talk *transcript.Conversation, i int) bool {
	since := m.viewOf(talk.Session).since
	return since != 0 && i > 0 && talk.Blocks[i].After(since) && !talk.Blocks[i-1].After(since)
}
