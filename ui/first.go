package ui

import tea "charm.land/bubbletea/v2"

// sayFirst sends what the user wanted to say when they started Pawl, or carries it out
// where it is a command. What was left in the line stands there again behind it. While a
// question has to be answered first, it waits in the line.
func (m *model) sayFirst() tea.Cmd {
	first, line := m.options.First, m.line()
	if first == "" {
		return nil
	}
	m.options.First = ""
	if m.dialog != nil {
		line.Restore(first)
		return m.edited()
	}
	left := line.Text
	line.Set(first)
	sent := m.send()
	if left != "" {
		line.Restore(left)
	}
	return tea.Batch(sent, m.edited())
}
