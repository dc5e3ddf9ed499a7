package mcp

import (
	"context"
	"sync"
	"time"
)

// longestCall limits a call that keeps reporting progress: a server must not hold a run for ever
// that way.
const longestCall = time.Hour

// callTimer limits the silence and the total time of one call. It is paused while a person is
// asked on the call's behalf.
type callTimer struct {
	timer *time.Timer
	limit time.Duration

	mu      sync.Mutex
	until   time.Time
	asking  int // open questions
	stopped time.Time
}

// limitCall returns a context that ends when the call has been silent for its limit.
func limitCall(ctx context.Context, limit time.Duration) (context.Context, *callTimer, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	t := &callTimer{
		timer: time.AfterFunc(limit, func() { cancel(errCallLimit) }),
		limit: limit, until: time.Now().Add(max(limit, longestCall)),
	}
	return ctx, t, func() {
		t.timer.Stop()
		cancel(nil)
	}
}

func (t *callTimer) restart() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asking == 0 {
		t.timer.Reset(min(t.limit, time.Until(t.until)))
	}
}

// pause pauses the timer until the returned function is called.
func (t *callTimer) pause() (goOn func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asking++; t.asking == 1 {
		t.timer.Stop()
		t.stopped = time.Now()
	}
	return func() {
		t.mu.Lock()
		if t.asking--; t.asking == 0 {
			t.until = t.until.Add(time.Since(t.stopped))
		}
		t.mu.Unlock()
		t.restart()
	}
}
