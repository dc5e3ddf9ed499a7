package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
)

// paletteKeys lead to the palette.
func paletteKeys() []binding {
	return []binding{
		{keys: []string{"ctrl+p"}, at: working, do: (*model).openPalette, help: "all commands, by a few letters of their name"},
	}
}

// openPalette lists what the table of keys holds for the place that has the focus,
// typed commands with it: what a key does here, the list does too.
func (m *model) openPalette() tea.Cmd {
	p := &picker{Title: "Do", Empty: "nothing"}
	at := m.at()
	if at == atCompletion {
		at = m.composing()
	}
	for _, g := range m.keys {
		if writes(g) {
			continue
		}
		for _, b := range g.bindings {
			if b.help == "" || b.at&at == 0 || b.when != nil && !b.when(m) || here(b) {
				continue
			}
			p.Rows = append(p.Rows, entry{Name: b.help, Key: b.shown(), Do: b.do})
		}
	}
	return m.offer(p)
}

// writes reports whether the keys of a group work on what is typed: to choose one of
// those from a list would be longer than to press it.
func writes(g group) bool { return g.title == "Writing" || g.title == "Editing" }

// here reports whether a binding leads to the palette itself.
func here(b binding) bool { return b.shown() == "ctrl+p" || b.shown() == "/" }

// shown is a binding's keys as people read them.
func (b binding) shown() sanitize.Text {
	if b.show != "" {
		return b.show
	}
	return sanitize.Text(b.keys[0])
}
