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
//	 JSON                              Markdown                      HTML
//	   facts                             facts, who did what and how it ended
//	   each session: its transcript      │                             timeline: a lane a run, bounded ◄── pages
//	   the runs                          the transcripts in short      the transcripts, folded
//	   every record ◄── pages ──►        every record, a line each ◄── pages
//	   totals
//	   │                                 │                             │
//	   └── mask: no secret in any string ┴── clean: nothing acts       ┤
//	                                         fence: nothing leaves     └── markup, the one door: all that is
//	                                         its place                     not ours is escaped
//
// Nothing depends on when an export is made or on what happened after record
// upto: the same record number gives the same bytes. Records come in pages and
// transcripts one session at a time, so memory grows with the number of runs and
// with the longest transcript, not with the log.
//
// The mask is a room of its own (agent/mask).
//
// The page of HTML has the picture before the transcripts, so it reads the records
// twice: once for the timeline, which holds a bounded number of marks a run and
// joins those that stand close, and once for the log. Its policy names its one style
// and its one script by their hashes; no text of a session is ever in either.
//
// Line and Lines write the same records one by one, as they happen.
//
// # One import
//
//	OpenRecording(ctx, path) ── through the document once, value by value: each is decoded,
//	   │                        checked and forgotten; kept are facts, and places in the file
//	 Recording
//	   ├── Source ── what JSON wrote is written again, byte by byte; every other format too
//	   └── Tail   ── the newest records of one session, for a screen
//
// A document comes from anywhere. Nothing in it is ever a path, a command or a name of
// something of ours; how much of it is held at once is bounded (recording_index.go,
// recording_walk.go); what stands there twice, or under a name that differs in its case
// alone, is refused, so that nobody reads another document than the next one does. Members
// that this version does not know are passed over, and are not in what is written again.
package export
