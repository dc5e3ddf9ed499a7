package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/internal/words"
	"pawl/ui/draw"
)

// mcpTyped lists the MCP servers: which are up, what they offer, what is wrong.
func (m *model) mcpTyped(string) tea.Cmd {
	if m.options.Commands.Servers == nil {
		return m.without("list")
	}
	p := &picker{Title: "MCP servers", Empty: "none: add them under [mcp.NAME] in config.toml, or in .mcp.json in the folder"}
	for _, s := range m.options.Commands.Servers() {
		row := entry{
			Name: sanitize.Line(s.Name),
			More: []sanitize.Text{sanitize.Line(s.State), sanitize.Line(words.Count(s.Tools, "tool")), sanitize.Line(s.From)},
		}
		if s.Down {
			row.Tone = draw.Failure
		}
		for _, line := range []string{s.Why, lastSaid(s.Said), s.Do} {
			if line != "" {
				row.Preview = append(row.Preview, sanitize.Line(line))
			}
		}
		p.Rows = append(p.Rows, row)
	}
	return m.offer(p)
}

func lastSaid(last string) string {
	if last == "" {
		return ""
	}
	return "its last output: " + last
}
