package ui

import (
	"pawl/ui/composer"
	"time"

	tea "charm.land/bubbletea/v2"
)

// stillHeld is how long Ctrl+D on an empty line may be the key that has just emptied it,
// held a little too long: terminals repeat a key more often than that.
const stillHeld = 500 * time.Millisecond

// atEndOfInput reports whether Ctrl+D is the end of the input: nothing is typed.
func (m *model) atEndOfInput() bool { return m.lineEmpty() && !m.editing() }

// endInput quits, after a question while something runs.
func (m *model) endInput() tea.Cmd {
	m.disarm()
	now := m.clock.Read()
	if now.Sub(m.eatenAt) < stillHeld {
		m.eatenAt = now
		return nil
	}
	return m.quitTyped("")
}

// eat deletes the character behind the cursor.
func (m *model) eat() tea.Cmd {
	m.eatenAt = m.clock.Read()
	return edit(func(c *composer.Composer) { c.Delete(c.At, c.After(c.At), false) })(m)
}
