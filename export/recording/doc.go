// Package recording reads an exported JSON document back, as a source of further exports
// and for a screen.
//
//	Open(ctx, path) ── through the document once, value by value: each is decoded, checked
//	   │               and forgotten; kept are facts, and places in the file
//	 Recording
//	   ├── Source ── what JSON wrote is written again, byte by byte; every other format too
//	   └── Tail   ── the newest records of one session, for a screen
//
// A document comes from anywhere. Nothing in it is ever a path, a command or a name of
// something of ours; how much of it is held at once is bounded (index.go, walk.go); what
// stands there twice, or under a name that differs in its case alone, is refused, so that
// nobody reads another document than the next one does. Members that this version does not
// know are passed over, and are not in what is written again.
package recording
