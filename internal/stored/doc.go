// Package stored finds the session that is meant, opens it for reading, from the database or an
// exported file, and exports sessions to files.
//
//	a name ─► Named, without one Newest: a session of the database
//	a name ─► Open: a file, standard input, or a session by its id
//	  ─► Recording: an export.Source, its last record, its newest records
//	  ─► Export: the whole file, or none
package stored
