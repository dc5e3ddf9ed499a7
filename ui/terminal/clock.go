package terminal

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Beat is how often moving things move: often enough for a spinner, and seldom
// enough to cost nothing.
const Beat = 125 * time.Millisecond

// Tick is the clock's message.
type Tick time.Time

// Clock is the only source of movement: one timer while something moves, none
// when nothing does.
type Clock struct {
	Ctx     context.Context
	Read    func() time.Time
	Every   time.Duration // 0: beat
	Frame   int
	Running bool
}

// Start gives the command for the next beat, nil where one is on its way.
func (c *Clock) Start() tea.Cmd {
	if c.Running {
		return nil
	}
	c.Running = true
	return c.Next()
}

// Next gives the command for the next beat.
func (c *Clock) Next() tea.Cmd {
	every := Beat
	if c.Every > 0 {
		every = c.Every
	}
	return After(c.Ctx, every, func(at time.Time) tea.Msg { return Tick(at) })
}

// After is tea.Tick for a screen that leaves nothing behind: it ends with ctx.
func After(ctx context.Context, d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
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
