package app

import (
	"pawl/agent"
	"pawl/internal/project"
	"pawl/internal/worktree"
	"pawl/lifecycle"
)

// aroundOf is what a subagent's model is told of its folder: the session's or, in a worktree,
// its own.
func aroundOf(run lifecycle.Run, r rules, session agent.Surroundings) agent.Surroundings {
	if run.Isolation != lifecycle.IsolationWorktree {
		return session
	}
	own := project.Surroundings(run.Folder)
	own.Today = session.Today
	own.Git += ": a git worktree of your own, made from " + beginningOf(r.tree, session.Folder) +
		". Change files only here; they are kept on this branch, committed or not" + r.freely()
	return own
}

// freely says what a run may do in its own worktree without a question; empty: nothing.
func (r rules) freely() string {
	if !r.unasked(agent.Effect{Kind: agent.EffectEdit, Subject: "."}).Allow {
		return ""
	}
	return ". Changing files, git add and git commit -m need no permission here. Write each git command on a line of its own, with plain paths and a plain message: " +
		"no options beyond the usual, no substitutions, no here-documents. Hooks do not run"
}

// beginningOf says what a worktree began with.
func beginningOf(tree *worktree.Own, folder string) string {
	note := worktree.Note{}
	if tree != nil {
		note, _, _ = worktree.ReadNote(tree.Path) // what cannot be read is not said
	}
	text := "the last commit of " + folder + ". What is not committed there is not here"
	if note.Start != "" {
		text = folder + " as it was then, with what is not committed there"
	}
	if said := note.Included.Says(); said != "" {
		text += ". " + said
	}
	return text
}
