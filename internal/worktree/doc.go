// Package worktree creates, keeps and removes the git worktrees of a session's subagents, and
// writes a note of each, so that no worktree is ever forgotten.
package worktree
