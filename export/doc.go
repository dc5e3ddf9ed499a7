// Package export writes a session down: the parent, every subagent session, the
// receipt of every run and the log event by event. It folds the same records as
// the supervisor, the store and the screen, and reads them through functions
// that internal/stored fills.
//
// # One export
//
//	Write(ctx, w, Manner, Source, root, upto)
//	   │
//	 without content: bare ── a Source whose texts are their lengths
//	   │
//	 openBook ── the runs in short, as they stood at record upto
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
// upto: the same record number gives the same bytes. Records, transcripts and the texts
// of runs come in pages; while one page of records is written the next one is read
// (ahead.go). What is held is a run in short (some 2 KB each) and, on a page of HTML, the
// marks of its picture and the hashes of its calls: so memory grows with the number of
// runs, and neither with the log nor with what was said in it.
//
// The mask is a room of its own (agent/mask).
//
// The page of HTML has the picture before the transcripts, so it reads the records
// twice: once for the timeline, which holds a bounded number of marks a run and
// joins those that stand close, and once for the log. Its policy names its one style
// and its one script by their hashes; no text of a session is ever in either.
//
// In brief a session is one page: digest chooses what stands on it, in Markdown alone or
// under the table and the picture of HTML.
//
// A trace is drawn while the records pass, in the words of Chrome's trace events. What is
// open is held, run by run, and nothing that is over:
//
//	records ──► lifecycle.Spans ──► slices: begin … end, nested on the threads of their run
//	   │                      └───► instants
//	   ├──► arrows, from the slice that is open where one begins to the one where it ends
//	   └──► curves
//
// Line and Lines write the same records one by one, as they happen.
package export
