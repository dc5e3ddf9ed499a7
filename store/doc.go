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
//	     │  costs            added to the quarter of an hour in which they arose
//	   COMMIT ── WAL, synchronous=FULL: on disk when Append returns
//
// Any error, the schema's refusals included, leaves none of it behind. If the
// transaction is on disk despite an error, Append succeeds. On a full disk the
// write-ahead log is checkpointed to make room, and the transaction is retried once.
//
// # One read
//
// Reads use connections of their own, which cannot write, and never wait for the
// writer. No read outlives its call, so the write-ahead log can be checkpointed.
//
// # Who may write
//
// Any number of processes may have the file open. The one that holds the Lock of a
// root session drives that session.
package store
