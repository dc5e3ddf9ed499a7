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
	// Flood is after how many frames without a rest records are held to the pace of a trickle:
	// half a second, so that what follows on a key is never held back.
	Flood = 30
)

// WatchEnded is the message that the log can no longer be followed.
type WatchEnded struct{ Err error }

// Pump passes updates from a watch to the program, one message for each wake-up and at most one
// a frame, or one in a Trickle once records have come without a rest for long. It runs on the watch's goroutine:
// while it waits, or the screen is busy, the watch collects, and no worker waits for either.
func Pump(ctx context.Context, send func(lifecycle.Updates)) func(lifecycle.Updates) {
	timer := time.NewTimer(0)
	wait := func(until time.Time, more <-chan struct{}) {
		timer.Reset(time.Until(until))
		select {
		case <-ctx.Done():
		case <-timer.C:
		case <-more:
		}
	}
	var due time.Time  // of the next message
	var calm time.Time // of the next one that brings only progress, unless records are behind it
	restless := 0      // messages with records that had to wait, one behind the other
	return func(u lifecycle.Updates) {
		flowing := len(u.Records) == 0 && len(u.Unsaved) == 0
		if flowing {
			wait(calm, u.More)
		}
		if restless++; flowing || !time.Now().Before(due) {
			restless = 0
		}
		pace := Frame
		if restless >= Flood {
			pace = Trickle
		}
		if wait(due, nil); ctx.Err() != nil {
			return
		}
		send(u)
		due, calm = time.Now().Add(pace), time.Time{}
		if flowing {
			calm = time.Now().Add(Trickle)
		}
	}
}
