// Package export puts a session into a file: the parent, every subagent session, the
// receipt of every run and the log event by event. It folds the same records as
// the supervisor, the store and the screen, and reads them through functions
// that internal/stored fills.
//
//	Write(ctx, w, formats.Options, Source, root, upto)
//	   │
//	 without content: redact ── a Source whose texts are their lengths
//	   │
//	 jsondoc, markdown, html, trace ── one printer each, over export/book
//
//	ToFile(ctx, path, force, write)
//	   │
//	 scratch ── a hidden file beside it, locked; what a killed process left is removed
//	   │
//	 place ── under its name once all of it is on disk, over another file only by force
//
// Nothing that is written depends on when an export is made or on what happened after
// record upto: the same record number gives the same bytes. Records, transcripts and the
// texts of runs come in pages; while one page of records is written the next one is read.
// What is held is a run in short (some 2 KB each) and, on a page of HTML, the marks of its
// picture and the hashes of its calls: so memory grows with the number of runs, and neither
// with the log nor with what was said in it. No string is written that the mask
// (agent/mask) has not seen.
package export
