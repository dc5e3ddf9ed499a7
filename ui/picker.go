package ui

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// picker is a list in front of the conversation, one line of which is chosen: by
// the arrows, or by typing a few letters of it. The palette is one, and so is
// every list that a command shows.
type picker struct {
	title sanitize.Text
	heads []sanitize.Text // over the columns; nil: none
	rows  []entry
	empty sanitize.Text // stands where there are no rows
	aside sanitize.Text // what is to be said about all of it

	words   string // that were typed
	list    shortlist
	columns []int // how wide each is, the name first

	turn     func(*model) tea.Cmd // Tab; nil: nothing
	turns    sanitize.Text        // what Tab does
	previews bool                 // rows have more to say than their line
	back     func(*model)         // undoes what the mark has shown, when nothing is taken; nil: nothing
}

// entry is one line of a picker.
type entry struct {
	name    sanitize.Text
	more    []sanitize.Text // its further columns: the last gives way first
	key     sanitize.Text   // what else leads to it
	sought  sanitize.Text   // is searched like the name, and not shown
	on      bool            // it is in force, or shown, now
	sign    sanitize.Text   // in front of its name, where it is not on
	tone    tone            // of its sign and its columns
	preview []sanitize.Text // wrapped where there is room
	last    bool            // of a preview that is too long, the end is shown
	peek    tea.Cmd         // reads the preview, once, when the mark comes by
	try     func(*model)    // shows what it would do, while the mark is on it; nil: nothing
	do      func(*model) tea.Cmd
}

// offer puts a list in front.
func (m *model) offer(p *picker) tea.Cmd {
	m.disarm()
	if m.picker != nil {
		m.closePicker()
	}
	m.picker = p
	p.fill(p.rows)
	return m.looked()
}

// fill gives the list its rows. What was typed stays; the mark goes to the row that
// is in force or, while something is typed, to the best one.
func (p *picker) fill(rows []entry) {
	p.rows, p.columns, p.previews = rows, nil, false
	for _, row := range rows {
		p.previews = p.previews || len(row.preview) > 0 || row.peek != nil
		for i, cell := range row.cells() {
			if i == len(p.columns) {
				p.columns = append(p.columns, 0)
			}
			p.columns[i] = max(p.columns[i], draw.Cells(cell))
		}
	}
	for i, head := range p.heads {
		if i < len(p.columns) {
			p.columns[i] = max(p.columns[i], draw.Cells(head))
		}
	}
	p.narrow()
	if p.words != "" {
		return
	}
	for i, row := range rows {
		if row.on {
			p.list.at = i
			return
		}
	}
}

// refill gives a list that stands already other rows. The mark stays on what it
// stood on.
func (p *picker) refill(rows []entry) {
	row, at := p.marked(), p.list.at
	if row == nil {
		p.fill(rows)
		return
	}
	name := row.name
	p.fill(rows)
	p.list.at = max(0, min(at, len(p.list.kept)-1))
	for i, f := range p.list.kept {
		if p.rows[f.index].name == name {
			p.list.at = i
			return
		}
	}
}

// cells are the columns of a row, its name first.
func (e entry) cells() []sanitize.Text { return append([]sanitize.Text{e.name}, e.more...) }

// narrow keeps the rows that fit what was typed.
func (p *picker) narrow() {
	names := make([]string, len(p.rows))
	for i, row := range p.rows {
		names[i] = string(row.name + " " + row.key + " " + row.sought)
	}
	p.list.narrow(p.words, names)
}

// marked is the row that Enter takes; nil where none fits.
func (p *picker) marked() *entry {
	i, ok := p.list.chosen()
	if !ok {
		return nil
	}
	return &p.rows[i]
}

// pickerKeys are those of every list.
func pickerKeys() []binding {
	step := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.stepPicker(by) }
	}
	erase := func(start func(string) int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.seek(m.picker.words[:start(m.picker.words)]) }
	}
	return []binding{
		{keys: []string{"up", "ctrl+p"}, at: atPicker, do: step(-1), show: "↑, ↓", help: "previous or next line; ctrl+p and ctrl+n too"},
		{keys: []string{"down", "ctrl+n"}, at: atPicker, do: step(1)},
		{keys: []string{"pgup"}, at: atPicker, do: func(m *model) tea.Cmd { return m.pagePicker(-1) }, show: "pgup, pgdn", help: "a page up or down"},
		{keys: []string{"pgdown"}, at: atPicker, do: func(m *model) tea.Cmd { return m.pagePicker(1) }},
		{keys: []string{"enter"}, at: atPicker, do: (*model).takePicked, help: "select it; letters search"},
		{keys: []string{"tab"}, at: atPicker, do: (*model).turnPicker, help: "the sessions of all folders, or of this one"},
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
	m.picker.words = words
	m.picker.narrow()
	return m.looked()
}

func (m *model) stepPicker(by int) tea.Cmd {
	m.picker.list.step(by)
	return m.looked()
}

// slidePicker moves the mark no further than the ends.
func (m *model) slidePicker(by int) tea.Cmd {
	list := &m.picker.list
	list.at = max(0, min(list.at+by, len(list.kept)-1))
	return m.looked()
}

// pagePicker moves the mark by what is shown.
func (m *model) pagePicker(by int) tea.Cmd {
	return m.slidePicker(by * max(1, m.picker.room(m.height).rows-1))
}

// looked follows every move of the mark.
func (m *model) looked() tea.Cmd {
	m.changed()
	row := m.picker.marked()
	if row == nil {
		m.takeBack()
		return nil
	}
	if row.try != nil {
		row.try(m)
	}
	peek := row.peek
	row.peek = nil
	return peek
}

// takePicked closes the list and does what the marked line is for.
func (m *model) takePicked() tea.Cmd {
	row := m.picker.marked()
	if row == nil {
		return nil
	}
	m.picker.back = nil
	m.closePicker()
	if row.do == nil {
		return nil
	}
	return row.do(m)
}

func (m *model) turnPicker() tea.Cmd {
	if m.picker.turn == nil {
		return nil
	}
	return m.picker.turn(m)
}

func (m *model) closePicker() tea.Cmd {
	m.takeBack()
	m.picker = nil
	m.changed()
	return nil
}

// takeBack undoes what the mark has shown.
func (m *model) takeBack() {
	if back := m.picker.back; back != nil {
		back(m)
	}
}

// arrived is something that was read for the screen: then takes it in. Where it was
// read for a list that is no longer in front, nobody waits for it any more.
type arrived struct {
	list *picker // nil: it was read for no list
	then func(*model) tea.Cmd
}

func (m *model) arrived(a arrived) tea.Cmd {
	if a.list != nil && a.list != m.picker {
		return nil
	}
	m.changed()
	return a.then(m)
}
