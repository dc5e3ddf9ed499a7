package fleet

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// A letter acts on the list only by itself, as on every screen of Pawl:
//
//	letter ──► an action here? no ──────────────────────────────► text
//	             │ yes: held
//	             ├─ another letter within heldFor ──────────────► both are text
//	             └─ nothing, or a key that is no letter ────────► the action
//
// Text goes to the line that takes it or, where none is open, to the line to the selected session,
// which sends nothing before Enter. So a sentence never acts.

// heldFor is how long the action of a letter waits for a second letter: people who type a word are
// quicker.
const heldFor = 150 * time.Millisecond

// heldLetter is a letter whose action waits; without text there is none.
type heldLetter struct {
	key, text string
	acted     string // the letters right before it that have moved something
	moves     bool
	focus     focus
	pressed   time.Time
}

// focus is what the keys are about. An action is only for what it was pressed on.
type focus struct {
	at       place
	session  lifecycle.SessionID
	question lifecycle.QuestionID
}

func (m *model) focus() focus {
	s, _ := m.board.current()
	return focus{m.at(), s.ID, s.asks()}
}

// heldDue comes when a letter has been held for long enough.
type heldDue struct{ nth int }

// typed takes in one letter.
func (m *model) typed(key, text string) tea.Cmd {
	now, held := m.now(), m.letter
	m.letter = heldLetter{}
	b := m.find(key, m.at())
	if held.text != "" {
		if b == nil || !b.moves || !held.moves || held.focus.at != m.at() {
			return m.writeText(held.acted + held.text + text)
		}
		done := m.find(held.key, m.at()).do(m) // a key that is kept down
		m.keyedAt = now
		return tea.Batch(done, m.hold(heldLetter{key, text, held.acted + held.text, true, m.focus(), now}))
	}
	if b != nil && (b.leads || m.at() == atHelp) {
		m.unsay()
		m.keyedAt = now
		return b.do(m)
	}
	if b == nil {
		return m.writeText(text)
	}
	return m.hold(heldLetter{key, text, "", b.moves, m.focus(), now})
}

func (m *model) hold(l heldLetter) tea.Cmd {
	m.letter = l
	m.holds++
	nth := m.holds
	return terminal.After(m.ctx, heldFor, func(time.Time) tea.Msg { return heldDue{nth} })
}

// heldDue lets the letter act that was held last.
func (m *model) heldDue(due heldDue) tea.Cmd {
	if due.nth != m.holds {
		return nil
	}
	return m.releaseLetter()
}

// releaseLetter carries out what is held. What it was about may be gone: then nothing happens.
func (m *model) releaseLetter() tea.Cmd {
	held := m.letter
	m.letter = heldLetter{}
	if held.text == "" {
		return nil
	}
	m.changed()
	b := m.find(held.key, m.at())
	if b == nil || held.focus != m.focus() {
		return nil
	}
	if m.armed.session == "" {
		m.unsay()
	}
	m.pressed = held.pressed
	defer func() { m.pressed = time.Time{} }()
	cmd := b.do(m)
	if !b.answers {
		m.keyedAt = held.pressed
	}
	return cmd
}

// writeText puts typed text where it belongs.
func (m *model) writeText(text string) tea.Cmd {
	if text == "" {
		return nil
	}
	m.keyedAt = m.now()
	m.insert(func(l *input) { l.Insert(text) })
	return nil
}
