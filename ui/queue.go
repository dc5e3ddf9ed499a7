package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/draw"
	"pawl/ui/list"
)

// The messages that wait for the session that is shown stand above the composer. A
// key reaches them; there they are chosen, edited, moved and withdrawn, each through
// the log: what is drawn is the queue as it is on disk.

// queueTypingKeys are the queue's keys in the composer. They come before the
// composer's own, and count while messages wait or one of them is edited. The help
// says them with the others.
func queueTypingKeys() []binding {
	return []binding{
		{keys: []string{"up"}, at: typing, when: (*model).nextToQueue, do: (*model).toQueue},
		{keys: []string{"enter"}, at: typing, when: (*model).editing, do: (*model).saveEdit},
		{keys: []string{"esc"}, at: typing, when: (*model).editing, do: (*model).dropEdit},
	}
}

func queueKeys() []binding {
	step := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.stepQueue(by) }
	}
	move := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.moveMessage(by) }
	}
	return []binding{
		{keys: []string{"up"}, at: atQueue, do: step(-1), show: "↑, ↓", help: "choose; ↑ on the composer's first line opens this"},
		{keys: []string{"down"}, at: atQueue, do: step(1)},
		{keys: []string{"enter", "e"}, at: atQueue, do: (*model).editMessage, show: "enter, e", help: "edit it; enter saves it in place, esc discards the change"},
		{keys: []string{"K", "shift+up", "alt+up"}, at: atQueue, do: move(-1), show: "K, J", help: "move it up or down; shift+↑ and shift+↓ too"},
		{keys: []string{"J", "shift+down", "alt+down"}, at: atQueue, do: move(1)},
		{keys: []string{"d", "backspace", "delete"}, at: atQueue, do: (*model).withdrawMessage, show: "d, del", help: "delete it; ctrl+y restores its text"},
		{keys: []string{"esc", "left", "ctrl+c"}, at: atQueue, do: (*model).leaveQueue, show: "esc", help: "back to the composer"},
		{keys: []string{"?"}, at: atQueue, do: (*model).openHelp},
	}
}

func (m *model) waiting() lifecycle.Inbox { return m.runs.Inbox(m.open) }

func (m *model) queued() bool { return len(m.waiting()) > 0 }

// nextToQueue reports whether ↑ leaves the composer for the queue: from its first
// line, unless the key goes back in the history already.
func (m *model) nextToQueue() bool {
	if !m.queued() || m.line().Browsed > 0 {
		return false
	}
	width := m.pane().Width - composer.Margin
	y, _ := m.line().Place(m.line().Rows(width), width)
	return y == 0
}

// toQueue goes to the newest message.
func (m *model) toQueue() tea.Cmd {
	inbox := m.waiting()
	m.chosen = inbox[len(inbox)-1].ID
	return nil
}

func (m *model) leaveQueue() tea.Cmd {
	m.chosen = ""
	return nil
}

// chosenAt is the place of the chosen message, -1 once it no longer waits.
func (m *model) chosenAt() int {
	return slices.IndexFunc(m.waiting(), func(w lifecycle.Message) bool { return w.ID == m.chosen })
}

// handled is the place of the message of a session that is chosen or edited, -1 for none.
func (m *model) handled(session lifecycle.SessionID) int {
	id := m.chosen
	if e := m.edits[session]; e != nil && id == "" {
		id = e.message
	}
	return slices.IndexFunc(m.runs.Inbox(session), func(w lifecycle.Message) bool { return w.ID == id })
}

// stepQueue chooses the next message; above the first one earlier prompts begin, and
// below the last one is the composer.
func (m *model) stepQueue(by int) tea.Cmd {
	inbox, to := m.waiting(), m.chosenAt()+by
	switch {
	case to < 0:
		m.chosen = ""
		m.line().Recall(1)
	case to >= len(inbox):
		m.chosen = ""
	default:
		m.chosen = inbox[to].ID
	}
	return nil
}

func (m *model) moveMessage(by int) tea.Cmd {
	to := m.chosenAt() + by
	if to < 0 || to >= len(m.waiting()) {
		return nil
	}
	return m.do(lifecycle.MoveMessage{Session: m.open, Message: m.chosen, To: to})
}

// withdrawMessage takes the chosen one back; its text is kept for Ctrl+Y.
func (m *model) withdrawMessage() tea.Cmd {
	at := m.chosenAt()
	if at < 0 {
		return m.leaveQueue()
	}
	m.line().Keep(m.waiting()[at].Text)
	return m.do(lifecycle.WithdrawMessage{Session: m.open, Message: m.chosen})
}

// followQueue keeps the focus on a message that waits after one of a session has left
// the queue, which was so long before.
func (m *model) followQueue(before lifecycle.Inbox, session lifecycle.SessionID) {
	if session != m.open || m.chosen == "" || m.chosenAt() >= 0 {
		return
	}
	at := slices.IndexFunc(before, func(w lifecycle.Message) bool { return w.ID == m.chosen })
	m.chosen = ""
	if inbox := m.waiting(); len(inbox) > 0 {
		m.chosen = inbox[min(max(at, 0), len(inbox)-1)].ID
	}
}

// queueCommandDone says what became of a change of the queue; it reports whether the
// command was one.
func (m *model) queueCommandDone(r replied) bool {
	switch c := r.command.(type) {
	case lifecycle.EditMessage:
		if r.err != nil {
			m.composerOf(c.Session).Restore(c.Text)
			m.say(draw.Caution, m.unchanged(c.Session, c.Message, r.err)+" · your text is here as a new message")
			return true
		}
		m.say(draw.Quiet, "changed; still queued in the same place")
	case lifecycle.WithdrawMessage:
		if r.err != nil {
			m.say(draw.Caution, m.unchanged(c.Session, c.Message, r.err))
			return true
		}
		m.say(draw.Quiet, "deleted · ctrl+y restores its text")
	case lifecycle.MoveMessage:
		if r.err != nil {
			m.say(draw.Caution, m.unchanged(c.Session, c.Message, r.err))
		}
	default:
		return false
	}
	return true
}

// unchanged says why the queue is as it was: most often the message was taken in, or
// came back, before the key.
func (m *model) unchanged(session lifecycle.SessionID, id lifecycle.MessageID, err error) sanitize.Text {
	if slices.ContainsFunc(m.runs.Inbox(session), func(w lifecycle.Message) bool { return w.ID == id }) {
		return sanitize.Line(err.Error())
	}
	return "the message is no longer queued"
}

// renderQueue draws the messages that wait for a session's next step, the chosen one
// among them.
func (m *model) renderQueue(c draw.Canvas, session lifecycle.SessionID, most int) []draw.Styled {
	inbox := m.runs.Inbox(session)
	if most == 0 || len(inbox) == 0 {
		return nil
	}
	at := m.handled(session)
	shown := list.Shortlist{At: max(0, at)}
	for i := range inbox {
		shown.Kept = append(shown.Kept, list.Found{Index: i})
	}
	if at >= 0 {
		most = max(most, m.height/4)
	}
	first, last := shown.Window(most)
	if last < len(inbox) && at < 0 && most > 1 {
		last-- // for the line that counts the others
	}
	var lines []draw.Styled
	for i, message := range inbox[first:last] {
		lines = append(lines, m.renderMessage(c, session, message, first+i == 0))
	}
	if rest := len(inbox) - last; rest > 0 && at < 0 && most > 1 {
		lines = append(lines, "  "+c.Theme.Faint.Draw(draw.Sprintf("%s %d more queued", c.Glyphs.More, rest)))
	}
	return lines
}

// renderMessage draws one of them: who wrote it, where that is not its user, and its
// text. The first one says which key reaches them.
func (m *model) renderMessage(c draw.Canvas, session lifecycle.SessionID, message lifecycle.Message, first bool) draw.Styled {
	c = c.Content()
	mark, lead, look := sanitize.Text("queued: "), draw.Styled("  "), c.Theme.Dim
	switch message.From {
	case lifecycle.FromAgent:
		mark = "queued by the agent: "
	case lifecycle.FromPawl:
		mark = "queued by Pawl: "
	}
	right := draw.Styled("")
	if e := m.edits[session]; e != nil && e.message == message.ID {
		mark, look = "being edited: ", c.Theme.Faint
	} else if first && session == m.open && m.chosen == "" && m.at()&typing != 0 && m.lineEmpty() && c.Width >= 60 {
		right = c.Theme.Faint.Draw("↑ edit, move, delete")
	}
	if message.ID == m.chosen {
		lead, look = c.Theme.Accent.Draw(c.Glyphs.Prompt)+" ", c.Theme.Selected
	}
	text := c.Cut(sanitize.Line(strings.TrimSpace(message.Text)), c.Width-2-draw.Cells(mark)-draw.Cells(right)-2)
	return c.Between(lead+c.Theme.Faint.Draw(mark)+look.Draw(text), right)
}

// queueHint says what the keys do with the message that is chosen or edited, in as many
// words as the screen has room for.
func (m *model) queueHint() sanitize.Text {
	switch {
	case m.chosen == "":
		return "enter save  esc discard"
	case m.width < 60:
		return "e edit  d delete  esc"
	}
	return "e edit  d delete  J K move  esc back"
}
