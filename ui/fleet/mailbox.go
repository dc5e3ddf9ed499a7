package fleet

import (
	"context"
	"sync"
	"time"

	"pawl/ui/terminal"
)

// mailbox holds the newest picture until the screen takes it.
type mailbox struct {
	mu     sync.Mutex
	newest *Picture
	bell   chan struct{} // holds one ring
}

func newMailbox() *mailbox { return &mailbox{bell: make(chan struct{}, 1)} }

// put replaces the newest picture. It waits for nobody.
func (b *mailbox) put(p Picture) {
	b.mu.Lock()
	b.newest = &p
	b.mu.Unlock()
	select {
	case b.bell <- struct{}{}:
	default:
	}
}

func (b *mailbox) take() *Picture {
	b.mu.Lock()
	defer b.mu.Unlock()
	p := b.newest
	b.newest = nil
	return p
}

// pass hands pictures on until ctx ends, at most one a frame.
func (b *mailbox) pass(ctx context.Context, send func(Picture)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.bell:
		}
		if p := b.take(); p != nil {
			send(*p)
		}
		rest := time.NewTimer(terminal.Frame)
		select {
		case <-ctx.Done():
		case <-rest.C:
		}
		rest.Stop()
	}
}
