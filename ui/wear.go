package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// themeNames are the themes that there are.
func (m *model) themeNames() []string { return []string{"auto", "dark", "light"} }

// wear puts a theme on; auto asks the terminal again.
func (m *model) wear(name string) tea.Cmd {
	switch {
	case !slices.Contains(m.themeNames(), name):
		m.say(failure, say("%s is no theme%s", name, m.meant(name, m.themeNames())))
		return nil
	case name == "auto":
		return tea.RequestBackgroundColor
	}
	m.paint(name == "dark")
	return nil
}
