package ui

import (
	"context"
	"time"

	"pawl/lifecycle"
)

// frame is the least time between two messages of the pump: 60 a second.
const frame = time.Second / 60

// watchEnded says that the log can no longer be followed.
type watchEnded struct{ err error }

// pump carries updates from a watch to the program, one message per wake-up and
// at most one a frame. It runs on the watch's goroutine: while it waits, or the
// screen is busy, the watch gathers, and nobody who works waits for either.
func pump(ctx context.Context, send func(lifecycle.Updates)) func(lifecycle.Updates) {
	timer := time.NewTimer(0)
	return func(u lifecycle.Updates) {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if ctx.Err() != nil {
			return
		}
		send(u)
		timer.Reset(frame)
	}
}
