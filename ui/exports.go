package ui

import (
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
	var names []string
	for _, f := range formats {
		if names = append(names, f.Name); f.Name == format {
			return m.exportAs(format)
		}
	}
	if format != "" {
		m.say(failure, say("%s is no format to export%s", format, m.meant(format, names)))
		return nil
	}
	return m.exportAs("")
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
