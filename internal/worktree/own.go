package worktree

import "pawl/lifecycle"

// Own is the worktree that Pawl has created for a run. Changes there reach nobody until its
// branch is merged.
type Own struct {
	Path, Branch string
	// Common is the git folder that it belongs to, with the checkout that it was made from; the error
	// says why git is not run there.
	Common func() (string, error)
}

// OwnOf returns the worktree of a run, or nil if it has none.
func (t *Trees) OwnOf(run lifecycle.Run) *Own {
	if run.Isolation != lifecycle.IsolationWorktree || t == nil {
		return nil
	}
	path, err := t.pathOf(run.Folder)
	if err != nil {
		return nil
	}
	return &Own{Path: path, Branch: run.Branch, Common: func() (string, error) {
		repository, err := t.Repository(run.ID)
		return repository.Checkout.Common(), err
	}}
}
