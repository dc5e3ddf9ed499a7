// Package dock is the lines above the composer, one a run: what asks the user, what is at work, what
// waits for a slot, and what has ended and should be looked at.
//
//	cards ──► Order ──► Lines: who asks first, the ends that went well as one line
//	                      └──► Dock.Render ──► those that have room, in common columns
//	runs ──► SumOf ──► Sums.Words ──► the rule below them, which stays when the last line is gone
//
// What is drawn is a fold of the cards. A Dock keeps of a picture only what lets the next one stand
// still: how many rows it had, and how wide its columns were.
package dock
