package app

import (
	"context"

	"pawl/internal/base"
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/git"
)

// places is where subagents can work beside the folder.
func (h *Session) places() tools.Places {
	places := tools.Places{Worktree: h.trees.Plan, Settings: base.ShortPath(h.Folders.ConfigFile())}
	if h.Settings.Remote.On() {
		places.Remote = h.trees.PlanAway
	}
	return places
}

func (h *Session) worktrees() *worktree.Trees {
	return worktree.New(worktree.Options{
		Session: h.Root, Folder: h.World.Folder, Below: h.Folders.Worktrees(),
		Repository: func(owner lifecycle.RunID) (git.Repository, error) {
			return h.Project.Repository(h.launcher(owner))
		},
		Lock: h.Store.Lock, Go: h.sweeping.Go, Dirty: h.Settings.Worktree.Dirty(), Setup: h.worktreeSetup(),
		Landed: func(ctx context.Context, root lifecycle.SessionID, operation lifecycle.OperationID) (bool, error) {
			return hasOperation(ctx, h.Base, root, operation)
		},
	})
}
