package tools

import (
	"context"
	"fmt"

	"pawl/lifecycle"
)

// Places says where subagents can work beside their parent's folder.
type Places struct {
	Worktree PlanWorktree
	Remote   PlanWorktree // of a run on another machine; nil: there is no server that gives runs to them
	Settings string       // the file in which that server would be named, as people write it
}

// PlanWorktree finds a place and a branch for the git worktree of a subagent with this
// description, and makes nothing: that is the work of the run. The folder is the one that
// the run works in. The error says, for the model, why there can be none. Nil: never.
type PlanWorktree func(ctx context.Context, description string) (folder, branch string, err error)

// place gives a spec with isolation worktree or remote its folder and its branch: what a remote
// run changes comes back into a worktree.
func (p Places) place(ctx context.Context, spec lifecycle.Spec) (lifecycle.Spec, error) {
	plan := p.Worktree
	switch {
	case spec.Isolation == lifecycle.IsolationRemote && p.Remote == nil:
		return spec, fmt.Errorf("isolation remote needs a server: set nats in [remote] of %s, or PAWL_REMOTE_NATS", p.Settings)
	case spec.Isolation == lifecycle.IsolationRemote:
		plan = p.Remote
	case spec.Isolation != lifecycle.IsolationWorktree:
		return spec, nil
	case plan == nil:
		return spec, fmt.Errorf("isolation %s is not available here: start the subagent without it", spec.Isolation)
	}
	var err error
	spec.Folder, spec.Branch, err = plan(ctx, spec.Description)
	return spec, err
}
