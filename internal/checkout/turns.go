package checkout

import (
	"context"
	"sync"
)

// turns lets one at a time do what has the same name. The zero value works.
type turns struct {
	mu  sync.Mutex
	all map[string]chan struct{} // semaphores of one
}

// take waits for the turn, and returns the function that gives it back.
func (t *turns) take(ctx context.Context, name string) (func(), error) {
	t.mu.Lock()
	if t.all == nil {
		t.all = map[string]chan struct{}{}
	}
	turn := t.all[name]
	if turn == nil {
		turn = make(chan struct{}, 1)
		t.all[name] = turn
	}
	t.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
