// Package transcript is a session as one reads it: a conversation is a fold of records into
// blocks, Runs is a fold of the same log into runs, queues and what is owed, and each block
// and each card draws itself on a canvas.
//
//	text ──► stable (fence.go) ──► finished blocks ──► Markdown ──► lines, kept
//	             └─► the rest ──► renderOpen (unfinished.go, opencode.go)
//
// An answer is drawn in pieces while it grows: what no later word can change once, the rest
// with each of its lines, code in an open fence a line at a time.
package transcript
