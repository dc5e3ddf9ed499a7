package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pawl/agent/sanitize"
	"pawl/lifecycle"
	"pawl/ui/draw"
)

// listRuns names runs in a dialog.
func (m *model) listRuns(d *dialog, runs []lifecycle.Run) {
	for _, run := range runs {
		d.body = append(d.body, draw.Sprintf("%s %s, %s", m.glyphs.State(run.State, 0), name(run), stateWords(run.State)))
	}
}

func (m *model) closeDialog() tea.Cmd {
	m.dialog = nil
	m.changed()
	return nil
}

func (m *model) pick(by int) tea.Cmd {
	n := len(m.dialog.choices)
	m.dialog.at = (m.dialog.at + by + n) % n
	m.changed()
	return nil
}

// offered reports whether a dialog has a choice with this key: any other letter is text.
func offered(key sanitize.Text) func(*model) bool {
	return func(m *model) bool {
		return m.dialog != nil && slices.ContainsFunc(m.dialog.choices, func(c choice) bool { return c.key == key })
	}
}

// choose takes the choice with this key, or the one that is marked. An Enter that ends
// a sentence is none.
func (m *model) choose(key string) tea.Cmd {
	d := m.dialog
	if key == "" && d.stays && !m.line().Empty() && !m.quiet(m.clock.Read()) {
		return nil
	}
	for i, c := range d.choices {
		if key == "" && i != d.at || key != "" && string(c.key) != key {
			continue
		}
		if c.key == d.informed && !d.read {
			d.top += d.room
			m.changed()
			return nil
		}
		m.closeDialog()
		if c.do != nil {
			return c.do(m)
		}
		return nil
	}
	return nil
}

// What a dialog asks, and what the answers do to the model.
type (
	dialog = Dialog[*model]
	choice = Choice[*model]
)
