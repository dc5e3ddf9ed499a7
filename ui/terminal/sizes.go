package terminal

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"
)

// Size is how large a terminal is, in cells.
type Size struct{ Width, Height int }

// Sizes tells a program how large its terminal is, where the process hears no SIGWINCH: a
// terminal of another session sends it none. Of several sizes only the newest counts.
type Sizes struct {
	mu     sync.Mutex
	newest Size // zero: none has come
}

// Follow passes sizes on until ctx ends or no more come. Whoever gives them waits for no frame
// and no Update.
func (s *Sizes) Follow(ctx context.Context, sizes <-chan Size, send func(tea.Msg)) {
	var sending sync.WaitGroup
	defer sending.Wait()
	news := make(chan struct{}, 1)
	defer close(news)
	sending.Go(func() {
		for range news {
			send(tea.WindowSizeMsg{}) // Filter puts the newest in
		}
	})
	for {
		select {
		case <-ctx.Done():
			return
		case size, more := <-sizes:
			if !more {
				return
			}
			if size.Width <= 0 || size.Height <= 0 {
				continue
			}
			s.mu.Lock()
			s.newest = size
			s.mu.Unlock()
			ring(news)
		}
	}
}

// The largest screen that is drawn, in cells: more than any display has. A terminal can claim that it
// is far larger, and every cell takes memory.
const (
	widest  = 800
	tallest = 300
)

// Filter gives every message of a size the newest one: Bubble Tea measures the terminal itself
// at times, and tells of it later. It bounds what a terminal may claim.
func (s *Sizes) Filter(msg tea.Msg) tea.Msg {
	size, is := msg.(tea.WindowSizeMsg)
	if !is {
		return msg
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.newest != (Size{}) {
		size = tea.WindowSizeMsg(s.newest)
	}
	return tea.WindowSizeMsg{Width: min(size.Width, widest), Height: min(size.Height, tallest)}
}
