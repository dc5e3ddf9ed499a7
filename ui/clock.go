package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// beat is how often moving things move: often enough for a spinner, and seldom
// enough to cost nothing.
const beat = 125 * time.Millisecond

// tick is the clock's message.
type tick time.Time

// clock is the only source of movement: one timer while something moves, none
// when nothing does.
type clock struct {
	read    func() time.Time
	frame   int
	running bool
}

// start gives the command for the next beat, nil where one is on its way.
func (c *clock) start() tea.Cmd {
	if c.running {
		return nil
	}
	c.running = true
	return c.next()
}

func (c *clock) next() tea.Cmd {
	return tea.Tick(beat, func(at time.Time) tea.Msg { return tick(at) })
}
