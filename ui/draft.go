package ui

import (
	"maps"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// draftDue comes a moment after a change in the line.
type draftDue struct{}

const draftDelay = 400 * time.Millisecond

// draftSaver hands drafts on to where they are kept, one after another: a long one that
// takes its time is not overtaken by a newer one, and nobody who draws waits for it.
type draftSaver struct {
	saving sync.Mutex // held while drafts are being kept

	mu  sync.Mutex
	due map[lifecycle.SessionID]string // the newest of each session
}

// put makes drafts due.
func (k *draftSaver) put(drafts map[lifecycle.SessionID]string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.due == nil {
		k.due = map[lifecycle.SessionID]string{}
	}
	maps.Copy(k.due, drafts)
}

func (k *draftSaver) take() map[lifecycle.SessionID]string {
	k.mu.Lock()
	defer k.mu.Unlock()
	due := k.due
	k.due = nil
	return due
}

// save keeps what is due. When it returns, so is all that was put before the call.
func (k *draftSaver) save(save func(lifecycle.SessionID, string)) {
	k.saving.Lock()
	defer k.saving.Unlock()
	for session, text := range k.take() {
		save(session, text)
	}
}

// edited follows every change of a composer.
func (m *model) edited() tea.Cmd {
	m.disarm()
	m.changed()
	if m.draftDue || m.options.SaveDraft == nil {
		return nil
	}
	m.draftDue = true
	return terminal.After(m.ctx, draftDelay, func(time.Time) tea.Msg { return draftDue{} })
}

// saveDraft keeps what is typed. While a message is on its way the last drafts
// stand: one of them still holds that message.
func (m *model) saveDraft() tea.Cmd {
	m.draftDue = false
	if m.sending > 0 || m.options.SaveDraft == nil {
		return nil
	}
	changed := map[lifecycle.SessionID]string{}
	for session := range m.composers {
		if text := m.draft(session); text != m.savedDrafts[session] {
			changed[session], m.savedDrafts[session] = text, text
		}
	}
	m.drafts.put(changed)
	drafts, save := m.drafts, m.options.SaveDraft
	return func() tea.Msg {
		drafts.save(save)
		return nil
	}
}
