// Package html writes a session down as one page of HTML: a table of its runs, a picture
// of them over time, the transcripts and the log.
//
//	Write(ctx, to, Source, root, upto, brief)
//	   │
//	 book.Open ── the runs in short, as they stood at record upto
//	   │
//	 timeline ◄── records: a lane a run, each with a bounded number of marks; marks that
//	   │                   stand close are joined
//	 writer ── head, table, picture, transcripts, log ◄── records, once more
//	   │
//	 markup ── the one way onto the page: constants of ours, everything else escaped
//
// The picture stands before the transcripts, so the records are read twice. The page's
// policy names its one style and its one script by their hashes; no text of a session is
// ever in either.
package html
