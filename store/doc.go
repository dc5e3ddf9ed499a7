// Package store keeps sessions in one SQLite file: the log, the transcripts, and
// the indexes of both. It implements lifecycle.Journal and imports lifecycle
// alone.
//
// # One append
//
//	Append(changes) ── all that arrived while the last commit ran
//	  newBatch ── sort it: sessions and runs once each, as they end up
//	     │
//	   BEGIN IMMEDIATE ── the one writer; waits for another process, and says so
//	     │  user_version     still the schema this program knows
//	     │  sessions         for a spawned run of a session not seen before
//	     │  runs             inserted, or changed: a terminal state stays
//	     │  for each change, in order:
//	     │     records         the log, numbered by lifecycle
//	     │     notifications   queued, delivered, withdrawn: each once
//	     │     messages        the transcript entries of this change
//	     │  sessions.updated
//	   COMMIT ── WAL, synchronous=FULL: on disk when Append returns
//
// Any error, the schema's refusals included, leaves none of it behind; what an
// error hid and is on disk after all is no error. On a full disk the write-ahead
// log is folded into the file to make room, and the transaction tried once more.
//
// # One read
//
// Reads use connections of their own, which cannot write, and never wait for the
// writer. No read outlives the call, so that the write-ahead log can be folded
// back into the file.
//
// # Who may write
//
// Any number of processes may have the file open. A root session is driven by
// the one that holds its Lock.
package store
