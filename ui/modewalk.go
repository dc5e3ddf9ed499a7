package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
)

// bypassMode is the permission mode that asks nothing.
const bypassMode = "bypass"

// modeKeys walk the permission modes.
func modeKeys() []binding {
	return []binding{
		{keys: []string{"shift+tab"}, at: working, do: (*model).walkModes, help: "the next permission mode; /permissions has all"},
	}
}

// walkModes enters the next permission mode. The one that asks nothing is not on the way:
// no key pressed once too often may lead there.
func (m *model) walkModes() tea.Cmd {
	m.disarm()
	if m.options.Commands.SetMode == nil {
		return m.without("set permissions with")
	}
	modes := slices.DeleteFunc(slices.Clone(m.options.Commands.Modes), func(mode Mode) bool { return mode.Name == bypassMode })
	if len(modes) == 0 {
		return m.without("set permissions with")
	}
	at := slices.IndexFunc(modes, func(mode Mode) bool { return mode.Name == m.options.Mode })
	next := modes[(at+1)%len(modes)]
	if err := m.options.Commands.SetMode(next.Name); err != nil {
		m.say(draw.Failure, sanitize.Line(err.Error()))
		return nil
	}
	m.options.Mode = next.Name
	m.say(draw.Quiet, draw.Sprintf("permission mode %s: %s", next.Name, sanitize.Line(next.Means)))
	return nil
}
