package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// draftDue comes a moment after a change in the line.
type draftDue struct{}

const draftDelay = 400 * time.Millisecond

// edited follows every change of a composer.
func (m *model) edited() tea.Cmd {
	m.disarm()
	m.changed()
	if m.draftDue || m.options.SaveDraft == nil && m.options.SaveComment == nil {
		return nil
	}
	m.draftDue = true
	return terminal.After(m.ctx, draftDelay, func(time.Time) tea.Msg { return draftDue{} })
}

// saveDraft keeps what is typed. While a message is on its way the last drafts
// stand: one of them still holds that message.
func (m *model) saveDraft() tea.Cmd {
	m.draftDue = false
	comments := m.saveComments()
	if m.sending > 0 || m.options.SaveDraft == nil {
		return comments
	}
	changed := map[lifecycle.SessionID]string{}
	for session := range m.composers {
		if text := m.draft(session); text != m.savedDrafts[session] {
			changed[session], m.savedDrafts[session] = text, text
		}
	}
	m.seat.Put(changed)
	seat, save := m.seat, m.options.SaveDraft
	return func() tea.Msg {
		seat.Save(save)
		if comments != nil {
			comments()
		}
		return nil
	}
}
