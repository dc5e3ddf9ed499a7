package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
)

// exportTyped writes the session in a format, or lists the formats.
func (m *model) exportTyped(format string) tea.Cmd {
	formats := m.options.Commands.Formats
	if format == "" && len(formats) > 1 {
		p := &picker{title: "Export as"}
		for _, f := range formats {
			p.rows = append(p.rows, entry{
				name: sanitize.Line(f.Name), more: []sanitize.Text{sanitize.Line(f.Means)},
				do: func(m *model) tea.Cmd { return m.exportAs(f.Name) },
			})
		}
		return m.offer(p)
	}
	if format != "" && !slices.Contains(m.formatNames(), format) {
		m.say(failure, say("%s is no format to export%s", format, m.meant(format, m.formatNames())))
		return nil
	}
	return m.exportAs(format)
}

func (m *model) formatNames() []string {
	var names []string
	for _, f := range m.options.Commands.Formats {
		names = append(names, f.Name)
	}
	return names
}

// exportAs writes the session to a file; an empty format is the first.
func (m *model) exportAs(format string) tea.Cmd {
	if m.options.Export == nil {
		return m.without("export with")
	}
	m.say(quiet, "exporting")
	ctx, write := m.ctx, m.options.Export
	return func() tea.Msg {
		path, err := write(ctx, format)
		return exported{path, err}
	}
}
