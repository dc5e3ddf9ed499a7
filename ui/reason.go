package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/composer"
	"pawl/ui/draw"
)

func reasonKeys() []binding {
	page := func(by int) func(*model) tea.Cmd { return func(m *model) tea.Cmd { return m.page(by) } }
	return []binding{
		{keys: []string{"enter"}, at: atReason, do: (*model).sendReason, help: "reason: deny with this text"},
		{keys: []string{"esc"}, at: atReason, do: (*model).leaveReason, help: "reason: back to the question"},
		{keys: []string{"ctrl+y"}, at: atReason, do: edit((*composer.Composer).Yank)},
		{keys: []string{"pgup"}, at: atReason, do: page(-1)},
		{keys: []string{"pgdown"}, at: atReason, do: page(1)},
	}
}

// also makes the keys of a composer count at a further place with a line to type.
func also(at place, bindings []binding) []binding {
	for i := range bindings {
		if bindings[i].at&typing != 0 {
			bindings[i].at |= at
		}
	}
	return bindings
}

// atQuestion is the place of who is asked: the question, or the words of their no.
func (m *model) atQuestion() place {
	if m.asking.reason != nil {
		return atReason
	}
	return atQuestion
}

// writeReason begins a no with words; Ctrl+Y brings back what was given up before.
func (m *model) writeReason() tea.Cmd {
	if q, _, any := m.front(); any && m.asking.answered != q.ID {
		m.asking.reason = &composer.Composer{Goal: -1, Kills: composer.Kills{Ring: slices.Clone(m.line().Kills.Ring)}}
	}
	return nil
}

func (m *model) leaveReason() tea.Cmd {
	m.line().Keep(m.asking.reason.Text)
	m.putAside()
	return nil
}

// sendReason says no, with the words as far as there are any.
func (m *model) sendReason() tea.Cmd {
	reason := strings.TrimSpace(m.asking.reason.Text)
	m.putAside()
	return m.answer(lifecycle.Answer{Reason: reason})
}

// putAside ends the writing of a no.
func (m *model) putAside() { m.asking.reason = nil }

// editReason changes the words. While they are typed nothing else takes their letters.
func (m *model) editReason(change func(*composer.Composer)) tea.Cmd {
	m.keyedAt = m.clock.Read()
	change(m.asking.reason)
	m.changed()
	return nil
}

// mostReason is how many rows of the words are seen at once.
const mostReason = 3

// renderReason draws the question with a line below it for why not.
func (m *model) renderReason(c draw.Canvas, height int) (lines []draw.Styled, y, x int) {
	inner := c.Narrow(2)
	words, y, x := m.asking.reason.Render(inner, "reason, or what to do instead", mostReason)
	keys := inner.KeyLine([][2]sanitize.Text{{"enter", "deny with this reason"}, {"esc", "back"}, {"ctrl+c", "deny and stop the run"}})
	if len(keys) > 1 {
		keys = inner.KeyLine([][2]sanitize.Text{{"enter", "no"}, {"esc", "back"}, {"ctrl+c", "stop"}})
	}
	lines = m.renderQuestion(c, height, append(words, keys...))
	return lines, len(lines) - len(keys) - len(words) + y, x + 2
}
