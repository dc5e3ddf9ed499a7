package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
)

// themeTyped lists the themes, each shown while the mark is on it, or puts on the one
// that is named.
func (m *model) themeTyped(name string) tea.Cmd {
	if name != "" {
		return m.wear(name)
	}
	worn := m.attire.theme
	p := &picker{Title: "Theme", Back: func(m *model) { m.tryOn(worn) }}
	for _, theme := range m.themeNames() {
		p.Rows = append(p.Rows, entry{
			Name: sanitize.Line(theme), On: theme == worn,
			Try: func(m *model) { m.tryOn(theme) },
			Do:  func(m *model) tea.Cmd { return m.wear(theme) },
		})
	}
	return m.offer(p)
}
