package ui

import (
	tea "charm.land/bubbletea/v2"

	"pawl/ui/completion"
	"pawl/ui/composer"
	"pawl/ui/draw"
)

func recallKeys() []binding {
	step := func(by int) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { m.recalling.Step(by); return nil }
	}
	words := func(change func(*composer.Composer)) func(*model) tea.Cmd {
		return func(m *model) tea.Cmd { m.recalling.Look(change); return nil }
	}
	return []binding{
		{keys: []string{"ctrl+r", "down", "ctrl+n"}, at: atRecall, do: step(1), show: "ctrl+r, ↓", help: "older"},
		{keys: []string{"ctrl+s", "up", "ctrl+p"}, at: atRecall, do: step(-1), show: "ctrl+s, ↑", help: "newer"},
		{keys: []string{"enter", "tab", "right"}, at: atRecall, do: (*model).takeRecalled, help: "put it into the line"},
		{keys: []string{"esc", "ctrl+c", "ctrl+g"}, at: atRecall, do: (*model).closeRecall, help: "leave the line unchanged"},
		{keys: []string{"backspace", "ctrl+h"}, at: atRecall, do: words(func(c *composer.Composer) { c.Delete(c.Before(c.At), c.At, false) })},
		{keys: []string{"ctrl+w", "alt+backspace"}, at: atRecall, do: words(func(c *composer.Composer) { c.Delete(c.WordLeft(c.At, composer.NonSpace), c.At, false) })},
		{keys: []string{"ctrl+u"}, at: atRecall, do: words(func(c *composer.Composer) { c.Set("") })},
	}
}

// openRecall begins the search in earlier prompts.
func (m *model) openRecall() tea.Cmd {
	m.disarm()
	if m.deaf() {
		m.say(draw.Quiet, shellHears)
		return nil
	}
	m.recalling = completion.NewPrompts(m.line().History)
	if m.recalling == nil {
		m.say(draw.Quiet, "no earlier prompts yet")
		return nil
	}
	m.changed()
	return nil
}

func (m *model) closeRecall() tea.Cmd {
	m.recalling = nil
	m.changed()
	return nil
}

// takeRecalled puts the marked prompt in the line, to be sent or changed.
func (m *model) takeRecalled() tea.Cmd {
	prompt, ok := m.recalling.Chosen()
	if !ok {
		return nil
	}
	line := m.line()
	line.Replace(line.Folded(prompt))
	line.Browsed = 0
	m.recalling = nil
	return m.edited()
}
