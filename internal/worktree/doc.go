// Package worktree makes, keeps and removes the git worktrees of a session's subagents,
// and writes a note of each, so that none is ever there that nobody knows.
package worktree
