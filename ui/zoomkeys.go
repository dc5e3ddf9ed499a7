package ui

import (
	tea "charm.land/bubbletea/v2"
)

// zoomBy zooms in or out around the cursor, which at the right edge is now.
func (m *model) zoomBy(step int) tea.Cmd {
	t, a := m.timeline, m.wholeAxis(1)
	fixed := a.busy
	if !t.zoom.whole() {
		fixed = t.zoom.hi
	}
	if mark, on := m.cursor(); on {
		fixed = a.offset(mark.from)
		t.zoom = t.zoom.around(fixed, a.busy)
	}
	t.zoom = t.zoom.by(step, fixed, a.busy)
	m.changed()
	return nil
}

func (m *model) zoomOut() tea.Cmd {
	m.timeline.zoom = zoom{}
	m.changed()
	return nil
}
