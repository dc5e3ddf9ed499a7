// Package stored opens a session to look at: one of the database, or an exported file. It
// is read and nothing of it is driven. It also writes one to a file.
//
//	a name ─► Open: a file, standard input, or a session by its id
//	  ─► Recording: an export.Source, its last record, its newest records
//	  ─► Export: the whole file, or none
package stored
