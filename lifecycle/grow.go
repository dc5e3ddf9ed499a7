package lifecycle

import (
	"strings"
	"sync"
)

// Runs are values, so what grows in them would be copied with every record, and a long answer
// has thousands of pieces. Instead the values of one run share it: each sees a beginning,
// only the newest adds to the end, and adding to an older one makes a copy.

// prose is a text that grows by pieces.
type prose struct {
	mu   sync.Mutex
	text strings.Builder
}

// add appends a piece to have, a beginning of p, and returns the whole and the prose that it is
// now a beginning of. A nil p is empty.
func (p *prose) add(have, piece string) (*prose, string) {
	if p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.text.String() == have { // the newest, which is the same memory
			p.text.WriteString(piece)
			return p, p.text.String()
		}
	}
	own := &prose{}
	own.text.WriteString(have)
	own.text.WriteString(piece)
	return own, own.text.String()
}

// series is a list that grows by items.
type series[T any] struct {
	mu    sync.Mutex
	items []T
}

// add is prose's, for a list.
func (s *series[T]) add(have []T, item T) (*series[T], []T) {
	if s == nil {
		s = &series[T]{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.items) != len(have) || len(have) > 0 && &s.items[0] != &have[0] {
		s = &series[T]{items: append(make([]T, 0, len(have)+1), have...)}
	}
	s.items = append(s.items, item)
	return s, s.items[:len(s.items):len(s.items)]
}

// addText joins a piece to the text of the open step. The text of an earlier
// step stands until a later one writes some: a run that is stopped while it
// works silently still has the last thing it said.
func (r *Run) addText(piece string) {
	if r.TextStep != r.Step {
		r.Partial, r.TextStep, r.prose = "", r.Step, nil
	}
	r.prose, r.Partial = r.prose.add(r.Partial, piece)
}

// takeBack forgets the text of the open step: its attempt is made again.
func (r *Run) takeBack() {
	if r.TextStep == r.Step {
		r.Partial, r.prose = "", nil
	}
}
