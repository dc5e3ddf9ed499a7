package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// newLineKeys are those of a line that goes on: they come before Enter's others.
func newLineKeys() []binding {
	return []binding{
		{keys: []string{"enter"}, at: typing, when: (*model).goesOn, do: (*model).goOn},
	}
}

// goesOn reports whether a backslash before the cursor asks for a new line, as in a shell.
// Two of them are one that is meant.
func (m *model) goesOn() bool {
	line := m.line()
	before := line.text[:line.at]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

// goOn puts a new line in the place of the backslash.
func (m *model) goOn() tea.Cmd {
	m.disarm()
	return edit(func(c *composer) { c.splice(c.before(c.at), c.at, piece{text: "\n"}) })(m)
}
