package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// calmBeat is the beat of a screen with reduced motion: often enough for a figure of
// seconds, and nothing moves but figures.
const calmBeat = time.Second

// still takes the motion out of the screen.
func (m *model) still() {
	m.glyphs = m.glyphs.Steady(m.term.ASCII)
	m.clock.Every = calmBeat
}

// caret is the cursor; with reduced motion it does not blink.
func (m *model) caret(x, y int) *tea.Cursor {
	cursor := tea.NewCursor(x, y)
	cursor.Blink = !m.options.Still
	return cursor
}
