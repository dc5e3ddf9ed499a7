package ui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/list"
)

// offer puts a list in front.
func (m *model) offer(p *picker) tea.Cmd {
	m.disarm()
	if m.picker != nil {
		m.closePicker()
	}
	m.picker = p
	p.Fill(p.Rows)
	return m.looked()
}

// pickerKeys are those of every list.
func pickerKeys() []binding {
	step := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.stepPicker(by) }
	}
	erase := func(start func(string) int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.seek(m.picker.Words[:start(m.picker.Words)]) }
	}
	return []binding{
		{keys: []string{"up", "ctrl+p"}, at: atPicker, do: step(-1), show: "↑, ↓", help: "previous or next line; ctrl+p and ctrl+n too"},
		{keys: []string{"down", "ctrl+n"}, at: atPicker, do: step(1)},
		{keys: []string{"pgup"}, at: atPicker, do: func(m *model) tea.Cmd { return m.pagePicker(-1) }, show: "pgup, pgdn", help: "a page up or down"},
		{keys: []string{"pgdown"}, at: atPicker, do: func(m *model) tea.Cmd { return m.pagePicker(1) }},
		{keys: []string{"enter"}, at: atPicker, do: (*model).takePicked, help: "select it; letters search"},
		{keys: []string{"tab"}, at: atPicker, do: (*model).switchPicker, help: "the sessions of all folders, or of this one"},
		{keys: []string{"esc", "ctrl+c"}, at: atPicker, do: (*model).closePicker, help: "close the list"},
		{keys: []string{"backspace", "ctrl+h", "shift+backspace"}, at: atPicker, do: erase(lastLetter)},
		{keys: []string{"ctrl+w", "alt+backspace", "ctrl+backspace"}, at: atPicker, do: erase(lastWord)},
		{keys: []string{"ctrl+u"}, at: atPicker, do: erase(func(string) int { return 0 })},
	}
}

func lastLetter(words string) int {
	_, size := utf8.DecodeLastRuneInString(words)
	return len(words) - size
}

func lastWord(words string) int { return strings.LastIndex(strings.TrimRight(words, " "), " ") + 1 }

// seek looks for other words.
func (m *model) seek(words string) tea.Cmd {
	m.picker.Words = words
	m.picker.Narrow()
	return m.looked()
}

func (m *model) stepPicker(by int) tea.Cmd {
	m.picker.List.Step(by)
	return m.looked()
}

// slidePicker moves the mark no further than the ends.
func (m *model) slidePicker(by int) tea.Cmd {
	list := &m.picker.List
	list.At = max(0, min(list.At+by, len(list.Kept)-1))
	return m.looked()
}

// pagePicker moves the mark by what is shown.
func (m *model) pagePicker(by int) tea.Cmd {
	return m.slidePicker(by * max(1, m.picker.Room(m.height).Rows-1))
}

// looked follows every move of the mark.
func (m *model) looked() tea.Cmd {
	row := m.picker.Marked()
	if row == nil {
		m.takeBack()
		return nil
	}
	if row.Try != nil {
		row.Try(m)
	}
	peek := row.Peek
	row.Peek = nil
	return peek
}

// takePicked closes the list and does what the marked line is for.
func (m *model) takePicked() tea.Cmd {
	row := m.picker.Marked()
	if row == nil {
		return nil
	}
	m.picker.Back = nil
	m.closePicker()
	if row.Do == nil {
		return nil
	}
	return row.Do(m)
}

func (m *model) switchPicker() tea.Cmd {
	if m.picker.Turn == nil {
		return nil
	}
	return m.picker.Turn(m)
}

func (m *model) closePicker() tea.Cmd {
	m.takeBack()
	m.picker = nil
	return nil
}

// takeBack undoes what the mark has shown.
func (m *model) takeBack() {
	if back := m.picker.Back; back != nil {
		back(m)
	}
}

// loaded is something that was read for the screen: then takes it in. Where it was
// read for a list that is no longer in front, nobody waits for it any more.
type loaded struct {
	list *picker // nil: it was read for no list
	then func(*model) tea.Cmd
}

func (m *model) loaded(a loaded) tea.Cmd {
	if a.list != nil && a.list != m.picker {
		return nil
	}
	return a.then(m)
}

// What is chosen from does its part to the model.
type (
	picker = list.Picker[*model]
	entry  = list.Entry[*model]
)

// pickerHint says what the keys do.
func (m *model) pickerHint() sanitize.Text {
	switch turns := m.picker.Turns; {
	case turns == "":
		return "enter select  esc close"
	case m.width < 60:
		return turns
	default:
		return turns + "  enter select  esc close"
	}
}
