package tools

import (
	"context"
	"errors"

	"pawl/lifecycle"
)

// PlanWorktree finds a place and a branch for the git worktree of a subagent with this
// description, and makes nothing: that is the work of the run. The folder is the one that
// the run works in. The error says, for the model, why there can be none. Nil: never.
type PlanWorktree func(ctx context.Context, description string) (folder, branch string, err error)

// place gives a spec with isolation worktree its folder and its branch.
func (p PlanWorktree) place(ctx context.Context, spec lifecycle.Spec) (lifecycle.Spec, error) {
	if spec.Isolation != lifecycle.IsolationWorktree {
		return spec, nil
	}
	if p == nil {
		return spec, errors.New("isolation worktree is not available here: start the subagent without it")
	}
	var err error
	spec.Folder, spec.Branch, err = p(ctx, spec.Description)
	return spec, err
}
