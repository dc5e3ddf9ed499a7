package lifecycle

import (
	"fmt"

	"pawl/internal/words"
)

// Worktree is the git worktree that a run with IsolationWorktree worked in, at the run's end.
// If the process died before, there is none: the run's Folder and Branch say where it was.
type Worktree struct {
	Path   string `json:"path"`
	Branch string `json:"branch"`
	Base   string `json:"base"` // the commit that it began at
	// Kept says that it is still there, with its branch. Otherwise nothing was changed in it,
	// and both were removed.
	Kept bool `json:"kept"`
	// What differs from Base, committed or not: whole files, and lines in them. Ignored
	// files do not count.
	Files   int `json:"files"`
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Commits int `json:"commits,omitempty"`
	// Behind counts files that the checkout it was made from had changed and not
	// committed: they were not in it.
	Behind int `json:"behind,omitempty"`
	// Why says why its changes are not known; it is then kept.
	Why string `json:"why,omitempty"`
}

// Summary describes it in one line, for models and people.
func (w Worktree) Summary() string {
	if !w.Kept {
		return fmt.Sprintf("nothing was changed, so it is removed with its branch %s", w.Branch)
	}
	if w.Why != "" {
		return fmt.Sprintf("branch %s, kept in %s: %s", w.Branch, w.Path, w.Why)
	}
	committed := "not committed"
	if w.Commits > 0 {
		committed = words.Count(w.Commits, "commit")
	}
	return fmt.Sprintf("branch %s, %s +%d −%d, %s, kept in %s", w.Branch, words.Count(w.Files, "file"), w.Added, w.Removed, committed, w.Path)
}
