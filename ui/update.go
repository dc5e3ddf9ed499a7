package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
)

// Init asks the terminal whether it is dark, and reads what the first screen
// still needs.
func (m *model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.fill(), m.wake(), m.askWeak())
}

// weakness is what Options.Weak has found.
type weakness string

// ailing is the newest word of Options.Ailing.
type ailing string

func (m *model) askWeak() tea.Cmd {
	ask := m.options.Weak
	if ask == nil {
		return nil
	}
	return safely(func() tea.Msg { return weakness(ask()) })
}

// Update takes one message in. It touches nothing outside the model: what has to
// be done is a command.
func (m *model) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer m.survive(&cmd)
	if m.crash.what != nil { // View could not quit
		return m, tea.Quit
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd = m.press(msg)
	case tea.PasteMsg:
		cmd = m.paste(msg.Content)
	case tea.MouseWheelMsg:
		cmd = m.wheel(msg)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.changed()
		cmd = m.fill()
	case tea.BackgroundColorMsg:
		m.paint(msg.IsDark())
	case tea.ResumeMsg:
		m.changed()
	case lifecycle.Updates:
		cmd = m.take(msg)
	case tick:
		cmd = m.beat(time.Time(msg))
	case replied:
		cmd = m.settle(msg)
	case older:
		cmd = m.older(msg)
	case exported:
		m.exported(msg)
	case draftDue:
		cmd = m.saveDraft()
	case crash:
		m.crash = msg
		cmd = tea.Quit
	case weakness:
		m.weak = string(msg)
		m.changed()
	case ailing:
		if m.ailing != string(msg) {
			m.ailing = string(msg)
			m.changed()
		}
	case decided:
		m.decided(msg)
	case Opened:
		cmd = m.reopen(msg)
	case watchEnded:
		m.broken = msg.err.Error()
		m.changed()
	}
	return m, safely(tea.Batch(cmd, m.wake()))
}

// wake starts the clock if something moves.
func (m *model) wake() tea.Cmd {
	if m.clock.running || !m.moving() {
		return nil
	}
	return m.clock.start()
}

// beat moves what moves; the clock stops when nothing does.
func (m *model) beat(at time.Time) tea.Cmd {
	m.clock.frame++
	if m.armed.deed != "" && !at.Before(m.armed.until) {
		m.armed = arming{}
		m.notice = notice{}
	}
	m.changed()
	if !m.moving() {
		m.clock.running = false
		return nil
	}
	return m.clock.next()
}

// press is one key: looked up in the table, else typed.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	at, key := m.at(), k.String()
	now := m.clock.read()
	if at == atQuestion && typeable(k.Text) && m.tooSoon(now) {
		at = atComposer
		if m.open != m.runs.root {
			at = atView
		}
	}
	if m.armed.deed == "" {
		m.notice = notice{}
	}
	m.changed()
	if b := m.find(key, at); b != nil {
		return b.do(m)
	}
	m.disarm()
	if at&typing != 0 && typeable(k.Text) && m.deaf() {
		m.say(quiet, shellHears)
		return nil
	}
	if at&typing != 0 && typeable(k.Text) {
		m.typedAt = now
		m.line().insert(k.Text)
		return m.edited()
	}
	return nil
}

func (m *model) paste(text string) tea.Cmd {
	m.disarm()
	if m.at()&working == 0 {
		return nil
	}
	m.card = ""
	if m.deaf() {
		m.say(quiet, shellHears)
		return nil
	}
	m.line().insert(text)
	return m.edited()
}

func (m *model) wheel(msg tea.MouseWheelMsg) tea.Cmd {
	switch msg.Button {
	case tea.MouseWheelUp:
		return m.scroll(-3)
	case tea.MouseWheelDown:
		return m.scroll(3)
	default:
		return nil
	}
}

// take folds what the watch gave. Only the conversations that are open, or were,
// are kept as text; the others begin when their first record comes.
func (m *model) take(u lifecycle.Updates) tea.Cmd {
	var cmd tea.Cmd
	for _, rec := range u.Records {
		if err := m.runs.fold(rec); err != nil {
			m.broken = "the log does not add up: " + err.Error()
		}
		m.talk(rec.Session).fold(rec)
		m.tellParent(rec)
		if back, ok := rec.Event.(lifecycle.MessageWithdrawn); ok && back.Returned && back.From == lifecycle.FromUser {
			m.composerOf(rec.Session).restore(back.Text)
			m.say(quiet, "your message was not taken in; it is back in the composer")
			cmd = m.edited()
		}
	}
	for _, p := range u.Progress {
		if m.runs.report(p) {
			m.talk(p.Session).progress(p, m.clock.read())
		}
	}
	for _, run := range u.Unsaved {
		m.runs.lost(run)
		m.say(failure, say("%q is not saved: the next start will find it cut off", name(run)))
	}
	m.fault = u.Fault
	if n := m.notice.background; n > 0 && n != len(m.runs.background()) {
		m.notice = notice{}
	}
	m.changed()
	if m.leaving && len(m.runs.live()) == 0 {
		m.ending = Ending{Wait: true, Cause: lifecycle.CauseQuit}
		return tea.Quit
	}
	return cmd
}

// tellParent gives a parent's conversation what a record of its subagent says to
// it.
func (m *model) tellParent(rec lifecycle.Record) {
	if _, ok := rec.Event.(lifecycle.NotificationDelivered); ok {
		m.talk(m.runs.runs[rec.Run].Parent).fold(rec)
	}
}

// older is the answer to a wish for older records.
type older struct {
	session lifecycle.SessionID
	records []lifecycle.Record
	err     error
}

// olderWanted is how many records are read at once: some screens' worth.
const olderWanted = 400

// fill reads older records where the conversation that is shown needs them for
// its screen.
func (m *model) fill() tea.Cmd {
	talk := m.talk(m.open)
	if talk.complete || talk.asked || m.options.Older == nil || m.height == 0 {
		return nil
	}
	if top := m.view().top(m, talk); top.block > 0 || top.line > 0 {
		return nil
	}
	talk.asked = true
	before := talk.first()
	if before == 0 {
		before = m.options.Snapshot.Seq + 1
	}
	ctx, session, read := m.ctx, m.open, m.options.Older
	return func() tea.Msg {
		records, err := read(ctx, session, before, olderWanted)
		return older{session, records, err}
	}
}

func (m *model) older(msg older) tea.Cmd {
	talk := m.talk(msg.session)
	if msg.err != nil {
		talk.complete = true // asking again would fail again
		m.say(failure, say("older messages: %s", sanitize.Line(msg.err.Error())))
		return nil
	}
	talk.asked = false
	at := m.viewOf(msg.session).mark(talk)
	talk.prepend(msg.records)
	m.viewOf(msg.session).find(talk, at)
	m.changed()
	return m.fill()
}

// draftDue comes a moment after a change in the line.
type draftDue struct{}

const draftDelay = 400 * time.Millisecond

// edited follows every change of a composer.
func (m *model) edited() tea.Cmd {
	m.disarm()
	m.changed()
	if m.draftDue || m.options.SaveDraft == nil {
		return nil
	}
	m.draftDue = true
	return after(m.ctx, draftDelay, func(time.Time) tea.Msg { return draftDue{} })
}

// saveDraft keeps what is typed. While a message is on its way the last drafts
// stand: one of them still holds that message.
func (m *model) saveDraft() tea.Cmd {
	m.draftDue = false
	if m.sending > 0 || m.options.SaveDraft == nil {
		return nil
	}
	save, changed := m.options.SaveDraft, map[lifecycle.SessionID]string{}
	for session, line := range m.composers {
		if line.text != m.kept[session] {
			changed[session], m.kept[session] = line.text, line.text
		}
	}
	return func() tea.Msg {
		for session, text := range changed {
			save(session, text)
		}
		return nil
	}
}
