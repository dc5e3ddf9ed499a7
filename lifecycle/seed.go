package lifecycle

// SetModel makes the coming runs of a root session use another model, and those of
// subagents that name none of their own. A run under way keeps its model. It is
// recorded with the run that uses it: each spawned says its model.
func (s *Supervisor) SetModel(root SessionID, model string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.tree(root)
	if err != nil {
		return err
	}
	t.seed.Model = model
	return nil
}
