package ui

import (
	"pawl/ui/composer"
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
	before := line.Text[:line.At]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

// goOn puts a new line in the place of the backslash.
func (m *model) goOn() tea.Cmd {
	m.disarm()
	return edit(func(c *composer.Composer) { c.Splice(c.Before(c.At), c.At, composer.Piece{Text: "\n"}) })(m)
}
