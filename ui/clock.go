package ui

import (
	"context"
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
	ctx     context.Context
	read    func() time.Time
	every   time.Duration // 0: beat
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
	every := beat
	if c.every > 0 {
		every = c.every
	}
	return after(c.ctx, every, func(at time.Time) tea.Msg { return tick(at) })
}

// after is tea.Tick for a screen that leaves nothing behind: it ends with ctx.
func after(ctx context.Context, d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case at := <-timer.C:
			return msg(at)
		case <-ctx.Done():
			return nil
		}
	}
}
