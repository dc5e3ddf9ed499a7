package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
)

// themeTyped lists the themes, or puts on the one that is named.
func (m *model) themeTyped(name string) tea.Cmd {
	if name != "" {
		return m.wear(name)
	}
	p := &picker{title: "Theme"}
	for _, theme := range m.themeNames() {
		p.rows = append(p.rows, entry{name: sanitize.Line(theme), do: func(m *model) tea.Cmd { return m.wear(theme) }})
	}
	return m.offer(p)
}
