package ui

import (
	"pawl/agent/sanitize"
)

// pickerHint says what the keys do.
func (m *model) pickerHint() sanitize.Text {
	switch turns := m.picker.Turns; {
	case turns == "":
		return "enter select  esc close"
	case m.width < 60:
		return turns
	default:
		return turns + "  enter select  esc close"
	}
}
