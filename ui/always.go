package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// ruleWords are the rules that a yes for always would add.
func ruleWords(q lifecycle.Question) sanitize.Text {
	return sanitize.Line(strings.Join(q.Rules, ", "))
}

// askAlways shows in full what would hold from now on. It is not for this session
// alone, so it takes a second key.
func (m *model) askAlways() tea.Cmd {
	q, _, any := m.front()
	if !any || m.asking.answered == q.ID {
		return nil
	}
	m.dialog = m.alwaysDialog(q.Rules, "back to the question", func(m *model) tea.Cmd {
		return m.answerTo(q, lifecycle.Answer{Allow: true, Scope: lifecycle.GrantAlways})
	})
	m.changed()
	return nil
}

// alwaysDialog shows rules that are to hold for good, each in full.
func (m *model) alwaysDialog(rules []string, back sanitize.Text, yes func(*model) tea.Cmd) *dialog {
	d := &dialog{
		Title: "Always allow this, without asking?",
		Whole: true,
		Choices: []choice{
			{Key: "y", Label: "yes, always in this folder", Do: yes},
			{Key: "esc", Label: back, Do: nil},
		},
		At: 1,
	}
	for _, rule := range rules {
		d.Body = append(d.Body, sanitize.Line(rule))
	}
	if m.options.Allowed != "" {
		d.Body = append(d.Body, "", draw.Sprintf("for Pawl and its subagents; kept in %s", sanitize.Line(m.options.Allowed)))
	}
	return d
}
