package terminal

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Beat is the interval of animations: short enough for a spinner and long enough to cost
// nothing.
const Beat = 125 * time.Millisecond

// Tick is the clock's message.
type Tick time.Time

// Clock is the only source of animation: one timer while something moves, none otherwise.
type Clock struct {
	Ctx     context.Context
	Read    func() time.Time
	Every   time.Duration // 0: Beat
	Frame   int
	Running bool
}

// Start returns the command for the next tick, or nil if one is pending.
func (c *Clock) Start() tea.Cmd {
	if c.Running {
		return nil
	}
	c.Running = true
	return c.Next()
}

// Next returns the command for the next tick.
func (c *Clock) Next() tea.Cmd {
	every := Beat
	if c.Every > 0 {
		every = c.Every
	}
	return After(c.Ctx, every, func(at time.Time) tea.Msg { return Tick(at) })
}

// After is tea.Tick that ends with ctx, so that nothing is left behind.
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
