// Package landing brings what a subagent changed in its worktree into the folder of the session.
//
//	worktree ─► Make: what it holds beyond its base, each file merged aside, three ways, with the
//	            folder as it is ─► Plan: lands · is there already · conflicts · left, and why
//	  choice ─► Plan.With: only these files, only these hunks
//	         ─► Land: the merged files, all or none (tools/apply), and a commit if one was asked for
//	         ─► record ─► nothing is left: the worktree goes
//
// Git does the merging, one file at a time, and finds what was renamed; nothing here merges. The
// repository, its index and the worktree stay as they are until Land.
package landing
