package app

import (
	"pawl/agent"
	"pawl/internal/project"
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
	own.Git += ": a git worktree of your own, made from the last commit of " + session.Folder +
		". What is not committed there is not here. Change files only here; they are kept on this branch, committed or not"
	if r.unasked(agent.Effect{Kind: agent.EffectEdit, Subject: "."}).Allow {
		own.Git += ". Changing files, git add and git commit -m need no permission here. Write each git command on a line of its own, with plain paths and a plain message: " +
			"no options beyond the usual, no substitutions, no here-documents. Hooks do not run"
	}
	return own
}
