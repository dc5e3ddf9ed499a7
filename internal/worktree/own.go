package worktree

import (
	"pawl/lifecycle"
	"pawl/tools/git"
)

// Own is the worktree that Pawl has created for a run. Changes there reach nobody until its
// branch is merged.
type Own struct {
	Path, Branch string
	Checkout     func() (git.Checkout, error) // the checkout it was made from; the error says why git is not run there
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
	return &Own{Path: path, Branch: run.Branch, Checkout: func() (git.Checkout, error) {
		repository, err := t.Repository(run.ID)
		return repository.Checkout, err
	}}
}
