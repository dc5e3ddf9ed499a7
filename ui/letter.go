package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"pawl/lifecycle"
	"pawl/ui/terminal"
)

// A letter is an action in a few places and text everywhere else:
//
//	letter ──► an action here? no ──────────────────────────────► text
//	             │ yes: held
//	             ├─ another letter within heldFor ──────────────► both are text
//	             └─ nothing, or a key that is no letter ────────► the action
//
// Text goes to the line that is in front or, where none is, to the composer, which then
// has the focus. So what is typed is never lost, and a sentence never acts.

// heldFor is how long the action of a letter waits for a second letter: people who type
// a word are quicker.
const heldFor = 150 * time.Millisecond

// settled is how long no key may have come before one answers a question: until then
// what is typed is somebody's sentence.
const settled = 2 * time.Second

// heldLetter is a letter whose action waits; without text there is none.
type heldLetter struct {
	key, text string
	at        place  // where it means something
	acted     string // the letters right before it that have moved something
	moves     bool
	focus     focus
	pressed   time.Time
}

// focus is what the keys are about. An action is only for what it was pressed on.
type focus struct {
	at       place
	open     lifecycle.SessionID
	card     lifecycle.SessionID
	row      lifecycle.SessionID // of the dashboard
	message  lifecycle.MessageID
	question lifecycle.QuestionID
	dialog   *dialog
}

func (m *model) focus() focus {
	f := focus{at: m.at(), open: m.open, card: m.card, message: m.chosen, question: m.asking.Question, dialog: m.dialog}
	if m.dashboard != nil {
		f.row = m.target()
	}
	return f
}

// heldDue comes when a letter has been held for long enough.
type heldDue struct{ nth int }

// letter takes in one letter.
func (m *model) letter(key, text string) tea.Cmd {
	now := m.clock.Read()
	held := m.letterHeld
	m.letterHeld = heldLetter{}
	at := m.placeOf(key)
	b := m.find(key, at)
	if held.text != "" {
		if b == nil || !b.moves || !held.moves || held.at != at || held.focus != m.focus() {
			return m.writeText(held.acted + held.text + text)
		}
		done := m.act(m.find(held.key, held.at)) // a key that is kept down
		return tea.Batch(done, m.hold(heldLetter{key, text, at, held.acted + held.text, true, m.focus(), now}))
	}
	if b != nil && b.leads {
		return m.act(b)
	}
	if b == nil || !m.lettersAct(at, now) {
		return m.writeText(text)
	}
	return m.hold(heldLetter{key, text, at, "", b.moves, m.focus(), now})
}

func (m *model) hold(l heldLetter) tea.Cmd {
	m.letterHeld = l
	m.holds++
	nth := m.holds
	return terminal.After(m.ctx, heldFor, func(time.Time) tea.Msg { return heldDue{nth} })
}

// heldDue lets the letter act that was held last.
func (m *model) heldDue(msg heldDue) tea.Cmd {
	if msg.nth != m.holds {
		return nil
	}
	return m.releaseLetter()
}

// releaseLetter carries out what is held. What it was about may be gone: then it was text.
func (m *model) releaseLetter() tea.Cmd {
	held := m.letterHeld
	m.letterHeld = heldLetter{}
	if held.text == "" {
		return nil
	}
	if held.focus != m.focus() {
		return m.writeText(held.text)
	}
	b := m.find(held.key, held.at)
	if b == nil {
		return m.writeText(held.text)
	}
	if m.armed.action == "" && held.at&covering == 0 {
		m.unsay()
	}
	if held.at&answering == 0 {
		m.keyedAt = held.pressed
	}
	m.pressedAt = held.pressed
	defer func() { m.pressedAt = time.Time{} }()
	return m.act(b)
}

// lettersAct reports whether letters are actions at a place now. What asks a person to allow something
// takes none from who is typing, or has left a line unfinished.
func (m *model) lettersAct(at place, now time.Time) bool {
	switch at {
	case atQuestion:
		return m.quiet(now) && m.line().Empty()
	case atDialog:
		return !m.dialog.Stays || m.quiet(now) && m.line().Empty()
	default:
		return true
	}
}

// quiet reports whether no key came for a while, but those that are for the question.
func (m *model) quiet(now time.Time) bool {
	since := m.keyedAt
	if m.dialog != nil && m.dialog.Since.After(since) {
		since = m.dialog.Since
	}
	return now.Sub(since) >= settled
}

// writeText puts typed text where it belongs.
func (m *model) writeText(text string) tea.Cmd {
	at, turned := m.toText()
	if at&fields != 0 {
		return m.write(at, text)
	}
	m.line().Insert(text)
	return tea.Batch(turned, m.edited(), m.suggest(true))
}

// toText gives the focus to where text goes, and says where that is. A question and what
// has to be answered first stay in front; everything else without a line gives way.
func (m *model) toText() (at place, turned tea.Cmd) {
	m.keyedAt = m.clock.Read()
	m.disarm()
	if m.dialog != nil && !m.dialog.Stays {
		m.dialog = nil
	}
	if m.dialog != nil {
		m.dialog.At = m.dialog.Safe()
	}
	if at = m.at(); at&answering != 0 {
		m.asking.Choosing = false
		at = m.beneath()
	}
	if at&covering == 0 || at&fields == 0 {
		m.unsay()
	}
	if at&fields != 0 {
		return at, nil
	}
	m.denials, m.rewinding, m.help, m.dashboard = nil, nil, nil, nil
	m.leaveChanges()
	m.card, m.chosen = "", ""
	m.stopReading()
	if m.takesNoMessages() { // its agent takes messages
		turned = m.show(m.runs.Latest(m.open).Parent)
	}
	return m.composing(), turned
}
