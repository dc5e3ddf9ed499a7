package worker

import "context"

// waitFree returns when a slot is free, which may be taken by another before the caller takes it.
func (s *server) waitFree(ctx context.Context) error {
	for {
		s.mu.Lock()
		free, freed := s.busy < s.o.Slots, s.freed
		s.mu.Unlock()
		if free {
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// take takes a slot, if one is free.
func (s *server) take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy == s.o.Slots {
		return false
	}
	s.busy++
	return true
}

func (s *server) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	close(s.freed)
	s.freed = make(chan struct{})
}

func (s *server) taken() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy
}
