// Package guard is the process around Pawl: a small parent of the same binary that cleans up, however
// Pawl ends.
//
//	shell or front ──► guard: becomes the reaper of orphans
//	            │
//	            ├─ starts this same binary ──► Pawl: a host, or -p
//	            │                                │
//	            │ ── a signal's number ────────► │ handled as if it had come directly
//	            │ ◄── Crash PATH ─────────────── │ where a trace would be
//	            │ ◄── Session ────────────────── │ there is something to go on with
//	            │ ◄── InOrder, or Meant ──────── │ the last word
//	            │                                ┴ gone, for whatever reason
//	            ├─ Pawl's leftover processes: killed, until none is left
//	            ├─ one line, if Pawl did not mean to end: what happened, how to go on
//	            ┴ exits with Pawl's code
//
// Without a front, both are in the process group and the session of whoever started Pawl, with the
// same three streams. So Ctrl+Z stops both, fg continues both, and a pipeline's signals reach both.
// The guard forwards its signals over the line, and Pawl counts two reports of one signal as one.
// With a front, both are in a session of their own, and the line goes to the front (handover.Ending).
//
// If the guard dies the line ends, and Pawl exits in order by itself. If both are killed, the
// processes of tools die with Pawl as far as the launcher ensures it.
//
// The guard is the same large program but needs little of it: once a start has settled it releases
// the pages of the file that only the start has read.
package guard
