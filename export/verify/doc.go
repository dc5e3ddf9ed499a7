// Package verify checks a recorded session against what the design promises of every session,
// and for consistency with itself.
//
//	Session(ctx, Source, upto)
//	   │
//	 audit ── each record, in order: Run.Apply, then every check of promise.go
//	   │        its entry ◄── transcriptCursor: the transcript of its session, read beside the log
//	   │        the first promise that a record breaks is named; what follows from it is not
//	 close ── what only the end shows: ends that nobody tells, words without a record,
//	   │        receipts, calls and totals that are not what the records make of them
//	 Verdict ── the faults, and what this source cannot show
//
// It knows the design, not the supervisor's code: the same promises are said a second time,
// so that a mistake in one is found by the other. The tests hold it against sessions that
// the real supervisor, store and program wrote (it must not cry wolf) and against a broken
// copy for each promise (it must not sleep).
package verify
