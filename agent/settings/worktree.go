package settings

import (
	"fmt"
	"strings"

	"pawl/internal/words"
)

// Worktree says how the git worktrees of subagents are made.
type Worktree struct {
	Base string `toml:"base"` // head or dirty: what of the checkout they begin with
	// Setup is a command line that runs in each new one before the subagent starts. Empty: none.
	Setup string `toml:"setup"`
}

// The bases of a worktree. Nothing chosen is the first.
const (
	BaseHead  = "head"  // the last commit
	BaseDirty = "dirty" // what is not committed too, but for ignored files
)

// Dirty reports whether worktrees begin with what is not committed.
func (w Worktree) Dirty() bool { return w.Base == BaseDirty }

func (w Worktree) check(where string) error {
	var found []error
	if takes := []string{BaseHead, BaseDirty}; w.Base != "" && w.Base != BaseHead && w.Base != BaseDirty {
		found = append(found, &Error{where, fmt.Sprintf("worktree.base %q: must be head or dirty%s", w.Base, words.DidYouMean(w.Base, takes))})
	}
	if w.Setup != "" && strings.TrimSpace(w.Setup) == "" || strings.ContainsRune(w.Setup, 0) {
		found = append(found, &Error{where, fmt.Sprintf("worktree.setup %q: must be a command line, such as npm ci", w.Setup)})
	}
	return All(found...)
}
