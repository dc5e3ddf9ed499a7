package fleet

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/composer"
	"pawl/ui/draw"
)

// place is what has the focus: where a key means something.
type place uint8

// The places.
const (
	atList place = 1 << iota
	atMessage
	atFolder
	atFilter
	atHelp

	atLine = atMessage | atFolder | atFilter
)

// at says what has the focus.
func (m *model) at() place {
	switch {
	case m.help != nil:
		return atHelp
	case m.input != nil:
		return m.input.at
	}
	return atList
}

// binding is one line of the table of keys: which keys, where and when they count, what they do, and
// what the help says. A later line with the same key counts where an earlier one does not.
type binding struct {
	keys []string
	at   place
	when func(*model) bool // nil: always
	do   func(*model) tea.Cmd
	// moves says that the key of a letter only moves something, and may be kept down.
	moves bool
	// leads says that the key of a letter acts at once: it changes nothing outside of the screen.
	leads bool
	// answers says that the key is for a question: pressing it is no sign of somebody who types.
	answers bool
	show    sanitize.Text // the keys as people read them
	help    sanitize.Text // empty: not in the help
}

// group is a heading of the help with its keys.
type group struct {
	title    sanitize.Text
	bindings []binding
}

// keyTable is all keys of the screen. The help is drawn from it.
func keyTable() []group {
	return []group{
		{"The sessions", listKeys()},
		{"The selected session", sessionKeys()},
		{"A question that is shown whole", questionKeys()},
		{"A line", lineKeys()},
		{"The screen", screenKeys()},
		{"Editing a line", editingKeys()},
	}
}

// find is the binding of a key at a place, nil where it has none.
func (m *model) find(key string, at place) *binding {
	for _, g := range m.keys {
		for i := range g.bindings {
			b := &g.bindings[i]
			if b.at&at != 0 && slices.Contains(b.keys, key) && (b.when == nil || b.when(m)) {
				return b
			}
		}
	}
	return nil
}

func listKeys() []binding {
	step := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.move(by) }
	}
	page := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.move(by * m.board.page()) }
	}
	end := func(at func(m *model) int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { return m.move(at(m)) }
	}
	all := func(m *model) int { return len(m.board.kept) }
	return []binding{
		{keys: []string{"up", "k"}, at: atList, moves: true, do: step(-1), show: "↑, ↓", help: "previous or next session; a click, the wheel"},
		{keys: []string{"down", "j"}, at: atList, moves: true, do: step(1)},
		{keys: []string{"up"}, at: atFilter, do: step(-1)},
		{keys: []string{"down"}, at: atFilter, do: step(1)},
		{keys: []string{"pgup"}, at: atList | atFilter, do: page(-1), show: "pgup, pgdn", help: "a page up or down"},
		{keys: []string{"pgdown"}, at: atList | atFilter, do: page(1)},
		{keys: []string{"home"}, at: atList, do: end(func(m *model) int { return -all(m) }), show: "home, end", help: "the first or the last"},
		{keys: []string{"end"}, at: atList, do: end(all)},
		{keys: []string{"tab"}, at: atList, do: (*model).nextNeed, show: "tab", help: "the next one that needs you"},
		{keys: []string{"/"}, at: atList, leads: true, do: (*model).openFilter, show: "/", help: "show only sessions whose title, folder or id has what you type"},
		{keys: []string{"n"}, at: atList, when: (*model).asksNothing, do: (*model).begin, show: "n, +", help: "begin a session in a folder; n on a question says no to it"},
		{keys: []string{"+"}, at: atList, leads: true, do: (*model).begin},
	}
}

func sessionKeys() []binding {
	return []binding{
		{keys: []string{"space"}, at: atList, leads: true, do: (*model).toggleLook, show: "space", help: "look in: show or hide it, beside or below the list"},
		{keys: []string{"enter"}, at: atList, do: (*model).attach, show: "enter", help: "attach: go on with it on this terminal"},
		{keys: []string{"m"}, at: atList, do: (*model).write, show: "m", help: "write to it; so does any text that is typed"},
		{keys: []string{"x"}, at: atList, do: (*model).stop, show: "x x", help: "stop all that it has at work"},
	}
}

func questionKeys() []binding {
	return []binding{
		{keys: []string{"y"}, at: atList, answers: true, when: (*model).asks, do: func(m *model) tea.Cmd { return m.answer(true) }, show: "y", help: "allow it once; only while no key came for 2 s"},
		{keys: []string{"n"}, at: atList, answers: true, when: (*model).asks, do: func(m *model) tea.Cmd { return m.answer(false) }, show: "n", help: "refuse it"},
	}
}

func lineKeys() []binding {
	return []binding{
		{keys: []string{"enter"}, at: atMessage, do: (*model).send, show: "enter", help: "send the message, begin in the folder, keep the filter"},
		{keys: []string{"enter"}, at: atFolder, do: (*model).takeFolder},
		{keys: []string{"enter"}, at: atFilter, do: (*model).closeLine},
		{keys: []string{"esc", "ctrl+c"}, at: atMessage | atFolder, do: (*model).closeLine, show: "esc", help: "leave it: a message stays for later, a filter is cleared"},
		{keys: []string{"esc", "ctrl+c"}, at: atFilter, do: (*model).clearFilter},
		{keys: []string{"ctrl+d"}, at: atLine, when: (*model).lineEmpty, do: (*model).closeLine},
		{keys: []string{"tab"}, at: atFolder, do: (*model).complete, show: "tab", help: "complete the folder; ↑ ↓ the folders of other sessions"},
		{keys: []string{"up"}, at: atFolder, do: func(m *model) tea.Cmd { return m.recall(1) }},
		{keys: []string{"down"}, at: atFolder, do: func(m *model) tea.Cmd { return m.recall(-1) }},
		{keys: []string{"up"}, at: atMessage, do: func(m *model) tea.Cmd { return m.vertical(-1) }},
		{keys: []string{"down"}, at: atMessage, do: func(m *model) tea.Cmd { return m.vertical(1) }},
		{keys: []string{"alt+enter", "shift+enter", "ctrl+j"}, at: atMessage, do: edit(func(c *composer.Composer) { c.Insert("\n") }), show: "alt+enter, ctrl+j", help: "a new line in a message"},
	}
}

func screenKeys() []binding {
	return []binding{
		{keys: []string{"w"}, at: atList, do: (*model).openWorkers, show: "w", help: "the workers: machines that take runs of others"},
		{keys: []string{"?"}, at: atList, leads: true, do: (*model).openHelp, show: "?", help: "this help"},
		{keys: []string{"esc"}, at: atList, do: (*model).esc, show: "esc", help: "close what covers the list, else clear the filter, else leave"},
		{keys: []string{"q", "ctrl+c", "ctrl+d"}, at: atList, do: (*model).leave, show: "q, ctrl+c", help: "leave; all sessions go on"},
		{keys: []string{"ctrl+z"}, at: atList | atHelp | atLine, do: (*model).suspend, show: "ctrl+z", help: "suspend; fg brings it back"},
		{keys: []string{"ctrl+l"}, at: atList | atLine, do: func(*model) tea.Cmd { return tea.ClearScreen }, show: "ctrl+l", help: "redraw the screen"},
		{keys: []string{"esc", "ctrl+c", "?", "q", "w", "enter"}, at: atHelp, do: (*model).closeHelp},
		{keys: []string{"up"}, at: atHelp, do: func(m *model) tea.Cmd { return m.scrollHelp(-1) }},
		{keys: []string{"down"}, at: atHelp, do: func(m *model) tea.Cmd { return m.scrollHelp(1) }},
		{keys: []string{"pgup"}, at: atHelp, do: func(m *model) tea.Cmd { return m.scrollHelp(-m.help.Height()) }},
		{keys: []string{"pgdown"}, at: atHelp, do: func(m *model) tea.Cmd { return m.scrollHelp(m.help.Height()) }},
	}
}

// editingKeys are those of readline, for every line.
func editingKeys() []binding {
	var lines []binding
	for _, e := range composer.Edits() {
		lines = append(lines, binding{keys: e.Keys, at: atLine, do: edit(e.Do), show: e.Show, help: e.Help})
	}
	return append(lines,
		binding{keys: []string{"ctrl+d"}, at: atLine, do: edit(composer.DeleteForward)},
		binding{keys: []string{"ctrl+y"}, at: atLine, do: edit((*composer.Composer).Yank), show: "ctrl+y", help: "restore what was cleared or cut"},
		binding{keys: []string{"ctrl+_", "ctrl+/", "ctrl+shift+-"}, at: atLine, do: edit(func(c *composer.Composer) { c.Undo() }), show: "ctrl+_", help: "undo"},
	)
}

// edit makes of a key a change of the line.
func edit(change func(*composer.Composer)) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		m.disarm()
		change(m.input.Composer)
		m.edited()
		return nil
	}
}

func (m *model) openHelp() tea.Cmd {
	m.disarm()
	m.help, m.machines = &draw.Body{}, false
	m.changed()
	return nil
}

func (m *model) closeHelp() tea.Cmd {
	m.help = nil
	m.changed()
	return nil
}

func (m *model) scrollHelp(by int) tea.Cmd {
	m.help.Scroll(by)
	m.changed()
	return nil
}

// helpLines are all lines of the help.
func (m *model) helpLines(c draw.Canvas) []draw.Styled {
	groups := make([]draw.Keys, 0, len(m.keys))
	for _, g := range m.keys {
		keys := draw.Keys{Title: g.title}
		for _, b := range g.bindings {
			if b.help != "" {
				keys.Lines = append(keys.Lines, [2]sanitize.Text{b.show, b.help})
			}
		}
		groups = append(groups, keys)
	}
	return c.Help(groups)
}
