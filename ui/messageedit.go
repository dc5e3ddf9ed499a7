package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/draw"
)

// messageEdit is a waiting message whose text stands in its session's composer to be
// changed.
type messageEdit struct {
	message lifecycle.MessageID
	text    string // as it waits
	typed   string // what stood in the composer before
}

func (m *model) editing() bool { return m.edits[m.open] != nil }

// editMessage puts the text of the chosen message into the composer.
func (m *model) editMessage() tea.Cmd {
	at := m.chosenAt()
	if at < 0 || m.editing() && m.edits[m.open].message == m.chosen {
		return m.leaveQueue()
	}
	if m.editing() {
		m.say(draw.Caution, "another message is being edited: enter saves it, esc discards the change")
		m.chosen = ""
		return nil
	}
	message := m.waiting()[at]
	m.edits[m.open] = &messageEdit{message: message.ID, text: message.Text, typed: m.line().Text}
	m.chosen = ""
	m.line().Set(message.Text)
	return m.edited()
}

// saveEdit gives the waiting message the text in the composer.
func (m *model) saveEdit() tea.Cmd {
	e, text := m.edits[m.open], strings.TrimSpace(m.line().Text)
	if text == "" {
		m.say(draw.Caution, "a message needs text: esc discards the change, d deletes the message")
		return nil
	}
	m.endEdit(m.open)
	if text == strings.TrimSpace(e.text) {
		return m.edited()
	}
	return tea.Batch(m.edited(), m.do(lifecycle.EditMessage{Session: m.open, Message: e.message, Text: text, Reach: m.reach(text)}))
}

// dropEdit leaves the message as it was; what was typed for it is kept for Ctrl+Y.
func (m *model) dropEdit() tea.Cmd {
	if text := m.line().Text; text != m.edits[m.open].text && strings.TrimSpace(text) != "" {
		m.line().Keep(text)
		m.say(draw.Quiet, "message unchanged · ctrl+y restores your edit")
	}
	m.endEdit(m.open)
	return m.edited()
}

// endEdit gives the composer back what stood in it.
func (m *model) endEdit(session lifecycle.SessionID) {
	m.composerOf(session).Set(m.edits[session].typed)
	delete(m.edits, session)
}

// leftQueue follows the log: a message that left the queue while it was edited cannot be
// changed any more. What was typed for it is a new text then, and nothing is lost. It
// reports whether the composer holds the message's text, if it came back.
func (m *model) leftQueue(session lifecycle.SessionID, id lifecycle.MessageID, returned bool) bool {
	e := m.edits[session]
	if e == nil || e.message != id {
		return false
	}
	line := m.composerOf(session)
	if strings.TrimSpace(line.Text) == strings.TrimSpace(e.text) && !returned {
		m.endEdit(session)
		return true
	}
	delete(m.edits, session)
	if e.typed != "" {
		line.Restore(e.typed)
	}
	if !returned {
		m.say(draw.Caution, "it was delivered while you edited it: your text is a new message now, enter sends it")
	}
	return true
}

// draft is what would be lost of a composer if Pawl ended now, of what has left it and has not arrived,
// and of the words of a no, which are back in the composer then: their question may be gone.
func (m *model) draft(session lifecycle.SessionID) string {
	text, e := m.composerOf(session).Unsent(), m.edits[session]
	if e != nil && text == e.text { // it waits in the queue, and is no draft
		text = ""
	}
	if reason := m.asking.reason; reason != nil && !reason.Empty() && session == m.open {
		text = strings.TrimRight(reason.Text+"\n"+text, "\n")
	}
	if e != nil && e.typed != "" {
		text = strings.TrimRight(strings.TrimRight(e.typed, "\n")+"\n"+text, "\n")
	}
	for _, one := range slices.Backward(m.sending) {
		if one.session == session {
			text = strings.TrimRight(one.line+"\n"+text, "\n")
		}
	}
	return text
}

// fromQueue follows one record about a message, after the runs: the queue was so
// before it. It reports whether the message came back to its user, with the text that
// its composer does not hold already.
func (m *model) fromQueue(rec lifecycle.Record, before lifecycle.Inbox) (text string, returned bool) {
	had := m.chosen != ""
	m.followQueue(before, rec.Session)
	switch e := rec.Event.(type) {
	case lifecycle.MessageTaken:
		if had && m.chosen == "" { // the next key is the composer's
			m.say(draw.Quiet, "delivered: no messages are queued")
		}
		m.seat.Taken(e.Message)
		m.leftQueue(rec.Session, e.Message, false)
	case lifecycle.MessageWithdrawn:
		back := e.Returned && e.From == lifecycle.FromUser
		returned = back && m.seat.TakesBack(rec.Session, e.Message)
		if !m.leftQueue(rec.Session, e.Message, back) && returned {
			text = e.Text
		}
	default: // it moves nothing out of the queue
	}
	return text, returned
}

// takeReturned gives back what came back while no screen was there to take it.
func (m *model) takeReturned(records []lifecycle.Record) tea.Cmd {
	returned := map[lifecycle.SessionID][]string{}
	for _, rec := range records {
		if e, is := rec.Event.(lifecycle.MessageWithdrawn); is && m.seat.TakesBack(rec.Session, e.Message) {
			returned[rec.Session] = append(returned[rec.Session], e.Text)
		}
	}
	for session, texts := range returned {
		line := m.composerOf(session)
		typed := strings.TrimSpace(line.Text)
		if slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(text, typed) }) {
			line.Set("") // it was kept while that message was typed, and nothing was kept since
		}
	}
	return m.giveBack(returned)
}

// giveBack puts messages that were returned into the composers they came from, in their
// order.
func (m *model) giveBack(returned map[lifecycle.SessionID][]string) tea.Cmd {
	if len(returned) == 0 {
		return nil
	}
	for session, texts := range returned {
		texts = slices.DeleteFunc(texts, func(text string) bool { return text == "" })
		if len(texts) > 0 {
			m.composerOf(session).Restore(strings.Join(texts, "\n"))
		}
	}
	m.say(draw.Quiet, "your message was not delivered; it is back in the composer")
	return m.edited()
}
