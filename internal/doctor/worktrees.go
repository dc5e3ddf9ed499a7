package doctor

import (
	"pawl/internal/base"
	"pawl/internal/words"
	"pawl/internal/worktree"
)

// examineWorktrees reports how many worktrees of subagents are kept. It does not run git.
func (e *Examination) examineWorktrees() {
	const name = "worktrees"
	notes, err := worktree.ReadNotes(e.folders.Worktrees())
	found := Finding{Name: name, Level: levelOK, Says: "none are kept", Value: len(notes)}
	switch {
	case err != nil:
		found = Finding{Name: name, Level: levelNote, Says: base.OneLine(err.Error()), Do: "look at that file: it names a worktree that Pawl has made"}
	case len(notes) > 0:
		found.Says = words.Count(len(notes), "worktree") + " of subagents kept in " + base.ShortPath(e.folders.Worktrees()) + ": pawl worktrees says what is in them"
	}
	e.add("Worktrees", found)
}
