// Package markdown writes a session down as Markdown, for people to read and to paste.
//
//	Write(ctx, to, Source, root, upto, brief)
//	   │
//	 book.Open ── the runs in short, as they stood at record upto
//	   │
//	 writer ─┬─ whole:    facts, summary, denials, transcripts, shells, versions, log
//	         └─ in brief: one page, of what book.Digest has chosen
//
// What others wrote goes through code, cell or block: a fence that is longer than any run
// of backticks in it, so that nothing leaves its place.
package markdown
