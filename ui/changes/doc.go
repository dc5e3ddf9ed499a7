// Package changes shows what was changed in files: by prompt, by run, by file, each with its diff,
// and takes a person's comments on lines of it.
//
//	Listing ──► groups of one grouping ──► list: headings and files, those in sight
//	                                          │ the chosen one and those in sight: Wanted
//	Diff of each, found elsewhere ──► Take ──► lines, unified or side by side, those in sight
//	                                          │ the line with the cursor
//	Comments ◄── written on it ───────────────┘ ──► one Message to each session that wrote them
//
// It is the same view for a session, a subagent and a worktree: who opens it gives other values. It
// reads nothing; what its keys do to runs is the model's.
package changes
