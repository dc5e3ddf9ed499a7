package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
)

// permissionsTyped shows the mode and the rules in force, and takes another mode.
func (m *model) permissionsTyped(mode string) tea.Cmd {
	if m.options.Commands.SetMode == nil {
		return m.without("set permissions with")
	}
	if mode != "" {
		return m.enterMode(mode)
	}
	p := &picker{title: "Permissions", empty: "no modes"}
	for _, one := range m.options.Commands.Modes {
		p.rows = append(p.rows, entry{
			name: sanitize.Line(one.Name), on: one.Name == m.options.Mode, more: []sanitize.Text{sanitize.Line(one.Means)},
			do: func(m *model) tea.Cmd { return m.enterMode(one.Name) },
		})
	}
	cmd := m.offer(p)
	if m.options.Commands.Rules == nil {
		return cmd
	}
	ctx, read := m.ctx, m.options.Commands.Rules
	return tea.Batch(cmd, safely(func() tea.Msg {
		rules := read(ctx)
		return arrived{p, func(m *model) tea.Cmd {
			at := p.list.at
			p.fill(append(p.rows, ruleRows(rules)...))
			p.list.at = min(at, max(0, len(p.list.kept)-1))
			return nil
		}}
	}))
}

func ruleRows(rules []Rule) []entry {
	var rows []entry
	for _, r := range rules {
		rows = append(rows, entry{
			name: say("%s %s", r.Decision, r.Rule), more: []sanitize.Text{sanitize.Line(r.Source)},
			do: func(m *model) tea.Cmd {
				m.say(quiet, say("%s %s stands in %s", r.Decision, r.Rule, r.Source))
				return nil
			},
		})
	}
	return rows
}

// enterMode makes the coming calls follow a mode. The one that asks nothing asks
// itself first.
func (m *model) enterMode(name string) tea.Cmd {
	var names []string
	for _, mode := range m.options.Commands.Modes {
		names = append(names, mode.Name)
	}
	switch {
	case !slices.Contains(names, name):
		m.say(failure, say("%s is no permission mode%s", name, m.meant(name, names)))
		return nil
	case name != "bypass" || m.options.Mode == name:
		return m.setMode(name)
	}
	m.dialog = &dialog{
		title: "Let every call go through without a question?",
		body:  []sanitize.Text{"Deny and ask rules hold still, and Pawl's and git's own files are asked about.", "Everything else runs: commands, changes, requests."},
		choices: []choice{
			{"y", "yes, in this session", func(m *model) tea.Cmd { return m.setMode(name) }},
			{"esc", "no", nil},
		},
		at: 1,
	}
	m.changed()
	return nil
}

func (m *model) setMode(name string) tea.Cmd {
	if err := m.options.Commands.SetMode(name); err != nil {
		m.say(failure, sanitize.Line(err.Error()))
		return nil
	}
	m.options.Mode = name
	m.remark(say("the permission mode is %s now", name))
	return nil
}
