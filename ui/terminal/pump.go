package terminal

import (
	"context"
	"time"

	"pawl/lifecycle"
)

const (
	// Frame is the least time between two messages of the pump: 60 a second.
	Frame = time.Second / 60
	// Trickle is the least time between two that bring nothing but progress. Text that
	// grows is read no better sixty times a second than twenty, and each frame costs
	// the same, however little is new in it.
	Trickle = time.Second / 20
)

// WatchEnded says that the log can no longer be followed.
type WatchEnded struct{ Err error }

// Pump carries updates from a watch to the program, one message per wake-up and
// at most one a frame. It runs on the watch's goroutine: while it waits, or the
// screen is busy, the watch gathers, and nobody who works waits for either.
func Pump(ctx context.Context, send func(lifecycle.Updates)) func(lifecycle.Updates) {
	timer := time.NewTimer(0)
	var due time.Time // before then no two messages of progress follow one another
	return func(u lifecycle.Updates) {
		flowing := len(u.Records) == 0 && len(u.Unsaved) == 0
		if rest := time.Until(due); flowing && rest > 0 {
			timer.Reset(rest)
		}
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if ctx.Err() != nil {
			return
		}
		send(u)
		timer.Reset(Frame)
		due = time.Time{}
		if flowing {
			due = time.Now().Add(Trickle)
		}
	}
}
