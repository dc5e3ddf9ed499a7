// Package worktrees is pawl worktrees: it lists the git worktrees that subagents have left, with
// what is in each of them, and removes those that are named.
//
//	notes of internal/worktree ─► rows, one a worktree ─► a table, JSON, or what may be removed
package worktrees
