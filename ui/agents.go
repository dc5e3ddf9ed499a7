package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/ui/draw"
	"pawl/ui/wording"
)

// agentsTyped lists the subagents of the session, to jump to, and the types that
// there are.
func (m *model) agentsTyped(words string) tea.Cmd {
	p := &picker{Title: "Agents", Words: words, Empty: "no types"}
	for _, session := range m.runs.Sessions {
		run := m.runs.Latest(session)
		p.Rows = append(p.Rows, entry{
			Name: wording.Name(run), On: m.open == session, Sought: sanitize.Line(run.Type),
			More:    []sanitize.Text{m.glyphs.State(run.State, 0) + " " + wording.State(run.State) + m.runs.DeniedWords(session), sanitize.Line(run.Type)},
			Preview: []sanitize.Text{sanitize.Clean(run.Prompt), sanitize.Clean(run.Output())},
			Do:      func(m *model) tea.Cmd { return m.show(session) },
		})
	}
	cmd := m.offer(p)
	if m.options.Commands.Types == nil {
		return cmd
	}
	ctx, read := m.ctx, m.options.Commands.Types
	return tea.Batch(cmd, safely(func() tea.Msg {
		types, problems := read(ctx)
		return arrived{p, func(m *model) tea.Cmd {
			if len(problems) > 0 {
				p.Aside = sanitize.Line(problems[0])
			}
			p.Refill(append(p.Rows, typeRows(types)...))
			return nil
		}}
	}))
}

// typeRows are the types; one that is chosen begins a message.
func typeRows(types []Type) []entry {
	var rows []entry
	for _, t := range types {
		rows = append(rows, entry{
			Name: sanitize.Line(t.Name), Sought: sanitize.Line(t.Description),
			More:    []sanitize.Text{"type", sanitize.Line(t.Source), sanitize.Line(t.Description)},
			Preview: []sanitize.Text{sanitize.Clean(t.Description), draw.Sprintf("tools: %s", t.Tools), draw.Sprintf("model: %s", t.Model), draw.Sprintf("from %s", t.Source)},
			Do:      func(m *model) tea.Cmd { return m.useType(t.Name) },
		})
	}
	return rows
}

// useType begins a message to the parent about a type, in front of what is typed.
func (m *model) useType(name string) tea.Cmd {
	cmd := m.show(m.runs.Root())
	line := m.line()
	line.At = 0
	line.Insert("Use the " + string(sanitize.Line(name)) + " subagent to ")
	return tea.Batch(cmd, m.edited())
}
