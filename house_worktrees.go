package main

import (
	"pawl/internal/worktree"
	"pawl/lifecycle"
	"pawl/tools"
	"pawl/tools/git"
)

// worktrees are those of this session's subagents.
func (h *house) worktrees() *worktree.Trees {
	return worktree.New(worktree.Options{
		Session: h.root, Folder: h.world.folder, Below: h.folders.Worktrees(),
		Repository: func(owner lifecycle.RunID) (git.Repository, error) {
			return h.project.repository(&tools.Launcher{
				Owner: owner, Containment: tools.Containment(h.settings.Tools.Containment), Hide: !h.settings.Tools.Debuggable,
			})
		},
		Lock: h.store.Lock, Go: h.sweeping.Go,
	})
}
