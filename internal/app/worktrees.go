package app

import (
	"context"

	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools/git"
	"pawl/tools/process"
)

func (h *Session) worktrees() *worktree.Trees {
	return worktree.New(worktree.Options{
		Session: h.Root, Folder: h.World.Folder, Below: h.Folders.Worktrees(),
		Repository: func(owner lifecycle.RunID) (git.Repository, error) {
			return h.Project.Repository(&process.Launcher{
				Owner: owner, Containment: process.Containment(h.Settings.Tools.Containment), Hide: !h.Settings.Tools.Debuggable,
			})
		},
		Lock: h.Store.Lock, Go: h.sweeping.Go, Dirty: h.Settings.Worktree.Dirty(), Setup: h.worktreeSetup(),
		Landed: func(ctx context.Context, root lifecycle.SessionID, operation lifecycle.OperationID) (bool, error) {
			return hasOperation(ctx, h.Base, root, operation)
		},
	})
}
