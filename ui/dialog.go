package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
	"pawl/ui/list"
	"pawl/ui/wording"
)

// listRuns names runs in a dialog.
func (m *model) listRuns(d *dialog, runs []lifecycle.Run) {
	for _, run := range runs {
		d.Body = append(d.Body, draw.Sprintf("%s %s, %s", m.glyphs.State(run.State, 0), wording.Name(run), wording.State(run.State)))
	}
}

func (m *model) closeDialog() tea.Cmd {
	m.dialog = nil
	m.changed()
	return nil
}

func (m *model) pick(by int) tea.Cmd {
	n := len(m.dialog.Choices)
	m.dialog.At = (m.dialog.At + by + n) % n
	m.changed()
	return nil
}

// offered reports whether a dialog has a choice with this key: any other letter is text.
func offered(key sanitize.Text) func(*model) bool {
	return func(m *model) bool {
		return m.dialog != nil && slices.ContainsFunc(m.dialog.Choices, func(c choice) bool { return c.Key == key })
	}
}

// choose takes the choice with this key, or the one that is marked. An Enter that ends
// a sentence is none.
func (m *model) choose(key string) tea.Cmd {
	d := m.dialog
	if key == "" && d.Stays && !m.line().Empty() && !m.quiet(m.clock.Read()) {
		return nil
	}
	for i, c := range d.Choices {
		if key == "" && i != d.At || key != "" && string(c.Key) != key {
			continue
		}
		if c.Key == d.Informed && !d.Read {
			d.Top += d.Room
			m.changed()
			return nil
		}
		m.closeDialog()
		if c.Do != nil {
			return c.Do(m)
		}
		return nil
	}
	return nil
}

// What a dialog asks, and what the answers do to the model.
type (
	dialog = list.Dialog[*model]
	choice = list.Choice[*model]
)
