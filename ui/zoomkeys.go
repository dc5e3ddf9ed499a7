package ui

import (
	tea "charm.land/bubbletea/v2"
	"pawl/ui/timeline"
)

// zoomBy zooms in or out around the cursor, which at the right edge is now.
func (m *model) zoomBy(step int) tea.Cmd {
	t, a := m.timeline, m.wholeAxis(1)
	fixed := a.Busy
	if !t.zoom.Whole() {
		fixed = t.zoom.Hi
	}
	if mark, on := m.cursor(); on {
		fixed = a.Offset(mark.From)
		t.zoom = t.zoom.Around(fixed, a.Busy)
	}
	t.zoom = t.zoom.By(step, fixed, a.Busy)
	m.changed()
	return nil
}

func (m *model) zoomOut() tea.Cmd {
	m.timeline.zoom = timeline.Zoom{}
	m.changed()
	return nil
}
