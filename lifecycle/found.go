package lifecycle

import "fmt"

// RecordFound records what a run has changed in files and could not record itself, because its
// process was killed before. The run may have ended. It returns when that is on disk, and is safe
// from any goroutine.
func (s *Supervisor) RecordFound(root SessionID, id RunID, changed FilesChanged) error {
	s.mu.Lock()
	c, err := s.recordFound(root, id, changed)
	s.mu.Unlock()
	return saved(c, err)
}

func (s *Supervisor) recordFound(root SessionID, id RunID, changed FilesChanged) (*change, error) {
	t, err := s.tree(root)
	if err != nil {
		return nil, err
	}
	h, known := t.runs[id]
	if !known {
		return nil, fmt.Errorf("run %s: %w", id, ErrUnknown)
	}
	d := s.begin(t)
	if err := d.apply(h.run.Session, id, changed); err != nil {
		return nil, err
	}
	return d.commit(), nil
}
