// Package redact takes the content out of a session, for sharing: every text is replaced by
// how long it was, before anything reads it.
//
//	book.Source ──► Source ──► book.Source, Bare: the same records, runs and messages
//
// What comes out is a source like any other: it is exported, read back and verified in the
// same way, and nothing behind it can tell the texts.
package redact
