package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// helpLines are all lines of the help, in two columns where there is room.
func (m *model) helpLines(c draw.Canvas) []draw.Styled {
	var groups []draw.Keys
	for _, g := range m.groups() {
		keys := draw.Keys{Title: g.title}
		for _, b := range g.bindings {
			if b.help != "" {
				keys.Lines = append(keys.Lines, [2]sanitize.Text{b.shown(), b.help})
			}
		}
		groups = append(groups, keys)
	}
	return c.Help(groups)
}

// renderHelp draws the part of the help that was scrolled to.
func (m *model) renderHelp(c draw.Canvas, height int) []draw.Styled {
	m.help.Fill(m.helpLines(c), height)
	return m.help.Seen()
}

// helpHint says how much of the help is below what is seen.
func (m *model) helpHint() sanitize.Text {
	c := m.canvas().Narrow(1)
	room := m.height - sharesOf(m.height).status - 1 // the rule
	if m.hasHead(m.open) {
		room -= 2
	}
	m.help.Fill(m.helpLines(c), room)
	if below := m.help.Below(); below > 0 {
		return draw.Sprintf("pgdn %d more  esc close", below)
	}
	return "esc close"
}

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
	for _, g := range m.groups() {
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
