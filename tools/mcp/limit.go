package mcp

import (
	"context"
	"sync"
	"time"
)

// longestCall is how long a call may take in all that goes on saying how far it is: a
// server must not hold a run for ever by saying so.
const longestCall = time.Hour

// callTimer is the limit of one call: of its silence, and of all of it. While a person
// is asked for the call it stands still.
type callTimer struct {
	timer *time.Timer
	limit time.Duration

	mu      sync.Mutex
	until   time.Time
	asking  int // questions that are open
	stopped time.Time
}

// limitCall gives a context that ends when the call has said nothing for its limit.
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

// heard begins the limit anew.
func (t *callTimer) heard() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.asking == 0 {
		t.timer.Reset(min(t.limit, time.Until(t.until)))
	}
}

// rest stops it until the function it gives is called.
func (t *callTimer) rest() (goOn func()) {
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
		t.heard()
	}
}
