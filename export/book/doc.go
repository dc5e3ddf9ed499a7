// Package book gathers a session once, for whatever writes it down or verifies it.
//
// A Source is where a session is read from. Open reads its runs and keeps them in short, as
// they stood at one record; records, transcripts and the texts of runs are then read through
// the Book, a page at a time. So memory grows with the number of runs, and neither with the
// log nor with what was said in it.
//
//	Source ──► Open ──► Book: runs, sessions, shells, names, calls
//	                     │
//	                     ├── Messages, Whole, Source.Each ── what is read when it is written
//	                     ├── Digest ── what one page says of the session
//	                     └── Readable, Detail, Tokens, … ── its words, the same in every form
//
// The same record number gives the same book, whatever has happened since. Nothing in it is
// masked but what had to be cut; who writes passes each text through Readable or the Mask.
package book
