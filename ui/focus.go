package ui

import (
	"slices"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// at says what has the focus.
func (m *model) at() place {
	switch {
	case m.dialog != nil:
		return atDialog
	case m.asked() && m.inFront():
		return m.atQuestion()
	}
	return m.beneath()
}

// beneath says what has the focus as soon as nothing is asked any more.
func (m *model) beneath() place {
	switch {
	case m.denials != nil:
		return atDenials
	case m.rewinding != nil:
		return atRewind
	case m.picker != nil:
		return atPicker
	case m.help != nil:
		return atHelp
	case m.dashboard != nil && m.dashboard.Typing:
		return atFilter
	case m.dashboard != nil:
		return atDashboard
	case m.changes != nil && m.review.writing.Typing():
		return atComment
	case m.changes != nil:
		return atChanges
	case m.recalling != nil:
		return atRecall
	case m.search != nil:
		return atSearch
	case m.reader != nil:
		return atBlock
	case m.chosen != "":
		return atQueue
	case m.card != "":
		return atCard
	case m.recorded():
		return atRecorded
	case m.completing():
		return atCompletion
	}
	return m.composing()
}

// composing is the place of the composer that is shown.
func (m *model) composing() place {
	if m.open != m.runs.Root() {
		return atView
	}
	return atComposer
}

// placeOf is where a key means something.
func (m *model) placeOf(key string) place {
	at := m.at()
	if at&answering != 0 {
		return m.beneathFor(key, at)
	}
	return at
}

// passes reports whether a key can hardly be meant for the question in front. Esc and Ctrl+C are where
// it is the run that asks which they would stop.
func (m *model) passes(key string) bool {
	if key == "esc" || key == "ctrl+c" {
		return m.strays()
	}
	return m.unseen()
}

// beneathFor is where a key means something while a question, or what has to be answered
// first, is in front: the line below has the keys that edit it while text is in it, and
// Enter unless the mark was moved.
func (m *model) beneathFor(key string, at place) place {
	if at == atDialog && !m.dialog.Stays {
		return at
	}
	under := m.beneath()
	if at == atQuestion && m.passes(key) && !m.answersOn() {
		return under
	}
	if under&fields != 0 {
		if key == "backspace" && !m.quiet(m.clock.Read()) {
			return under
		}
		return at
	}
	if m.line().Empty() {
		return at
	}
	sends := key == "enter" && at == atQuestion && !m.asking.Choosing
	if sends || m.find(key, at) == nil && m.editsLine(key) {
		return m.composing()
	}
	return at
}

// editsLine reports whether a key only changes the line.
func (m *model) editsLine(key string) bool {
	return slices.Contains([]string{"alt+enter", "shift+enter", "ctrl+j", "ctrl+y"}, key) ||
		slices.ContainsFunc(editingKeys(), func(b binding) bool { return slices.Contains(b.keys, key) })
}

// renderBeneath draws the line that takes what is typed under a question, with the
// cursor; nothing while it is empty.
func (m *model) renderBeneath(c draw.Canvas) (lines []draw.Styled, y, x int) {
	if m.line().Empty() || m.beneath()&fields != 0 {
		return nil, -1, 0
	}
	lines, y, x = m.line().Render(c, "", mostReason)
	if m.asking.Choosing {
		y = -1
	}
	return append([]draw.Styled{c.Ruled(m.beneathWords())}, lines...), y, x
}

// beneathWords stand on the rule above the line that takes what is typed meanwhile.
func (m *model) beneathWords() sanitize.Text {
	if m.at() == atQuestion && !m.asking.Choosing {
		return " enter sends this "
	}
	return " this stays here "
}

// inFront reports whether the question that waits stands in front. On the dashboard that is
// the selected run's; others wait there for who selects their rows.
func (m *model) inFront() bool {
	if m.dashboard == nil || m.asking.reason != nil {
		return true
	}
	return !m.dashboard.Typing && m.asking.Of(m.runs.Questions(), m.target())
}

// onDashboard reports whether the dashboard is what a question leaves room for.
func (m *model) onDashboard() bool { return m.dashboard != nil }

// target is the session that a key on the dashboard, on a card or in a view is about; empty
// where the dashboard keeps no row.
func (m *model) target() lifecycle.SessionID {
	if m.dashboard != nil {
		return m.dashboard.Selected(m.boardSource())
	}
	if m.card != "" {
		return m.card
	}
	return m.open
}

// takesNoMessages reports whether the session that is shown takes no messages.
func (m *model) takesNoMessages() bool { return m.runs.Latest(m.open).Shell() }

// noMessagesWords answers who types to a shell.
const noMessagesWords sanitize.Text = "a command takes no messages"

// placeholder stands in a composer while nothing is in it: what it is for.
func (m *model) placeholder(session lifecycle.SessionID) sanitize.Text {
	run := m.runs.Latest(session)
	if session == m.runs.Root() {
		return "Ask Pawl anything"
	}
	if run.Shell() {
		return noMessagesWords + " · ← back"
	}
	return draw.Sprintf("Message %q", wording.Name(run))
}
