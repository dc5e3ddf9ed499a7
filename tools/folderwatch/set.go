package folderwatch

import (
	"path/filepath"
	"sync"
)

// Set holds the watches of one session, one a folder. Its methods may be called from any
// goroutine.
type Set struct {
	options Options
	budget  budget

	mu      sync.Mutex
	watches map[string]*used
}

type used struct {
	*Watch
	by int // how many use it
}

// NewSet makes an empty set. Close it.
func NewSet(o Options) *Set { return &Set{options: o, watches: map[string]*used{}} }

// Use gives the watch of a folder, and begins to look at one that is new. It is dropped when all that
// asked for it have called done.
func (s *Set) Use(folder string) (w *Watch, done func()) {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		real = folder
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.watches[real]
	if one == nil {
		one = &used{Watch: newWatch(real, s.options, &s.budget)}
		s.watches[real] = one
	}
	one.by++
	return one.Watch, sync.OnceFunc(func() { s.drop(real, one) })
}

func (s *Set) drop(folder string, one *used) {
	s.mu.Lock()
	one.by--
	last := one.by == 0 && s.watches[folder] == one
	if last {
		delete(s.watches, folder)
	}
	s.mu.Unlock()
	if last {
		one.close()
	}
}

// Close ends all watches.
func (s *Set) Close() {
	s.mu.Lock()
	all := s.watches
	s.watches = map[string]*used{}
	s.mu.Unlock()
	for _, one := range all {
		one.close()
	}
}
