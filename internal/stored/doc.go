// Package stored opens a session for reading, from the database or an exported file, and exports
// sessions to files.
//
//	a name ─► Open: a file, standard input, or a session by its id
//	  ─► Recording: an export.Source, its last record, its newest records
//	  ─► Export: the whole file, or none
package stored
