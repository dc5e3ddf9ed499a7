// Package export writes a session down: the parent, every subagent session, the
// receipt of every run and the log event by event. It folds the same records as
// the supervisor, the store and the screen, and reads them through functions
// that main fills.
//
// # One export
//
//	Write(ctx, w, format, Source, root, upto)
//	   │
//	 openBook ── the runs as they stood at record upto
//	   │           at rest: as the store has them
//	   │           moved on since, or still open: folded again from the records
//	   │
//	 JSON                              Markdown
//	   facts                             facts, who did what and how it ended
//	   each session: its transcript      the parent's transcript in short
//	   the runs                          each subagent's
//	   every record ◄── pages ──►        every record, a line each
//	   totals
//	   │                                 │
//	   └── mask: no secret in any string ┴── clean, fence: nothing acts, nothing leaves its place
//
// Nothing depends on when an export is made or on what happened after record
// upto: the same record number gives the same bytes. Records come in pages and
// transcripts one session at a time, so memory grows with the number of runs and
// with the longest transcript, not with the log.
//
// The mask is a room of its own (agent/mask). Line and Lines write the same records one by one, as they happen.
package export
