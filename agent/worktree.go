package agent

import "fmt"

// worktree says where the work of a subagent with its own worktree is, and what can be
// done with it.
func (r RunReport) worktree() string {
	w := r.Worktree
	if w == nil {
		return ""
	}
	text := "Its worktree: " + w.Summary() + "."
	if w.Behind > 0 {
		text += fmt.Sprintf(" It began with the last commit: %d changed files of your checkout that are not committed were not in it.", w.Behind)
	}
	if w.Kept {
		text += fmt.Sprintf(" None of it is in your checkout yet: git -C %s status shows what is there, git merge %s merges only what is committed on its branch.", w.Path, w.Branch)
	}
	return text
}
