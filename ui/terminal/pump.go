package terminal

import (
	"context"
	"time"

	"pawl/lifecycle"
)

const (
	// Frame is the shortest time between two messages of the pump: 60 a second.
	Frame = time.Second / 60
	// Trickle is the shortest time between two messages that bring only progress. Growing text
	// reads no better sixty times a second than twenty, and each frame costs the same.
	Trickle = time.Second / 20
)

// WatchEnded is the message that the log can no longer be followed.
type WatchEnded struct{ Err error }

// Pump passes updates from a watch to the program, one message for each wake-up and at most one
// a frame. It runs on the watch's goroutine: while it waits, or the screen is busy, the watch
// collects, and no worker waits for either.
func Pump(ctx context.Context, send func(lifecycle.Updates)) func(lifecycle.Updates) {
	timer := time.NewTimer(0)
	var due time.Time // the earliest time of the next message with only progress
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
