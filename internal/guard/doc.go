// Package guard is the process around Pawl: a small parent of the same binary that
// owns the terminal's settings and outlives whatever ends Pawl.
//
//	shell ──► guard: keeps the terminal's settings, becomes the reaper of orphans
//	            │
//	            ├─ starts this very binary ──► Pawl: screen or answer, tools
//	            │                                │
//	            │ ── a signal's number ────────► │ told as if it had come directly
//	            │ ◄── Crash PATH ─────────────── │ where a trace would be
//	            │ ◄── Session, Screen, Bar ───── │ what there is to put right
//	            │ ◄── InOrder, or Meant ──────── │ the last word
//	            │                                ┴ gone, by whatever
//	            ├─ the terminal: its settings and, without InOrder, its modes
//	            ├─ what is left of Pawl's processes: killed, until none is left
//	            ├─ one line, if Pawl did not mean to go: what happened, how to go on
//	            ┴ exits with Pawl's code
//
// Both stand in the process group and the session of whoever started Pawl, with the
// same three streams. So Ctrl+Z stops both, fg continues both, a pipeline's signals
// reach both; a signal that reached the guard alone goes on over the line, and
// Pawl takes two reports of one signal for one.
//
// If the guard dies, the line ends, and Pawl leaves in order: it needs nobody then.
// If both are killed, nobody is left to put the terminal right; what the tools
// started dies with Pawl as far as the launcher sees to that.
//
// The guard is the same large program, of which it needs little: once Pawl is there it
// gives back the pages of the file that only the start of Go's runtime has read.
package guard
