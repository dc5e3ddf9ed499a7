// Package transcript shows a session: Conversation folds records into blocks, Runs folds the
// same log into runs, queues and pending notifications, and each block and card draws itself on
// a canvas.
//
//	text ──► stable (fence.go) ──► finished blocks ──► Markdown ──► lines, kept
//	             └─► the rest ──► renderOpen (unfinished.go, opencode.go)
//
// A growing answer is drawn in pieces: parts that no later text can change once, the rest with
// each of its lines, code in an open fence line by line.
package transcript
