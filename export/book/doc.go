// Package book gathers a session once, for all that print or verify it.
//
// A Source is where a session is read from. Open reads its runs and keeps them without their
// long texts, as they stood at one record; records, transcripts and whole runs are then read
// through the Book, a page at a time. So memory grows with the number of runs, and not with the
// log or the conversation.
//
//	Source ──► Open ──► Book: runs, sessions, shells, names, calls
//	                     │
//	                     ├── Messages, Whole, Source.Each ── read while it is written
//	                     ├── Digest ── what one page says of the session
//	                     └── Readable, Detail, Tokens, … ── wording, the same in every format
//
// The same record number gives the same book, whatever has happened since. Nothing in it is
// masked except what had to be cut: writers pass each text through Readable or the Mask.
package book
