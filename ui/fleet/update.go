package fleet

import (
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"pawl/ui/composer"
	"pawl/ui/terminal"
)

// Init asks the terminal whether it is dark.
func (m *model) Init() tea.Cmd { return terminal.AskLooks() }

// Update takes one message in. It touches nothing outside the model: what has to be done is a
// command.
func (m *model) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	defer crashed.InUpdate(&m.crash, &cmd)
	if m.crash.Happened() { // View could not quit
		return m, tea.Quit
	}
	switch msg := msg.(type) {
	case Picture:
		m.take(msg)
	case tea.KeyPressMsg:
		cmd = m.press(msg)
	case tea.PasteMsg:
		m.paste(msg.Content)
	case tea.MouseWheelMsg:
		m.wheel(msg)
	case tea.MouseClickMsg:
		m.click(msg)
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.changed()
	case tea.BackgroundColorMsg, tea.ColorProfileMsg, uv.DarkColorSchemeEvent, uv.LightColorSchemeEvent:
		cmd = m.learn(msg)
	case tea.ResumeMsg, resumed:
		cmd = m.resumed(msg)
	case heldDue:
		cmd = m.heldDue(msg)
	case wake:
		m.woken(time.Time(msg))
	case peeked:
		m.peeked(msg)
	case done:
		m.done(msg)
	case looked:
		cmd = m.looked(msg)
	case placed:
		cmd = m.placed(msg)
	case completed:
		m.completed(msg)
	case terminal.WatchEnded:
		m.broken = msg.Err.Error()
		m.changed()
	case terminal.Crash:
		m.crash = msg
		cmd = tea.Quit
	}
	m.View() // what is in sight decides what is read and when it changes by itself
	return m, safely(tea.Batch(cmd, m.peek(), m.setTimer()))
}

// press is one key. What is held acts before a key that is no letter, but for the one that takes a
// letter back.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	m.changed()
	key := k.String()
	if composer.Typeable(k.Text) {
		return m.typed(key, k.Text)
	}
	if held := m.letter; held.text != "" && key == "backspace" {
		m.letter = heldLetter{}
		m.writeText(held.acted + held.text)
		return m.key(key)
	}
	return tea.Batch(m.releaseLetter(), m.key(key))
}

// key is one key that no letter has to wait for.
func (m *model) key(key string) tea.Cmd {
	m.keyedAt = m.now()
	if m.armed.session == "" {
		m.unsay()
	}
	b := m.find(key, m.at())
	if b == nil {
		m.disarm()
		return nil
	}
	return b.do(m)
}

// paste is text wherever it comes: it never acts.
func (m *model) paste(text string) {
	m.changed()
	held := m.letter
	m.letter = heldLetter{}
	m.writeText(held.acted + held.text)
	m.insert(func(l *input) { l.paste(text) })
}

// learn takes in what the terminal tells of its looks.
func (m *model) learn(msg tea.Msg) tea.Cmd {
	was := m.looks
	ask := m.looks.Learn(msg, m.term.Colour)
	if m.looks != was {
		m.applyTheme()
	}
	return ask
}
