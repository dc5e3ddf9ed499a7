package store

import (
	"context"
	"database/sql"
	"time"

	"pawl/lifecycle"
)

const (
	countSQL = `SELECT count(*) FILTER (WHERE parent IS NULL), count(*) FILTER (WHERE parent IS NOT NULL) FROM sessions`

	// unendedHere is true of a run that a process here is at work at, or died at. What other machines work
	// at goes on without one.
	unendedHere = `r.ended IS NULL AND r.data ->> '$.isolation' IS NOT '` + string(lifecycle.IsolationRemote) + `'`

	unendedSQL = `SELECT s.id, s.title, s.folder, s.updated, count(*) FROM runs r JOIN sessions s ON s.id = r.root
		WHERE ` + unendedHere + ` GROUP BY s.id ORDER BY s.updated DESC, s.id DESC`

	rootOfRunSQL = `SELECT root FROM runs WHERE id = ?`
)

// Health is what can be told of an open database without reading all of it, as Check does.
type Health struct {
	Schema    int
	Size      int64 // of the file, in bytes
	Log       int64 // of the write-ahead log that is not checkpointed yet, in bytes
	Sessions  int   // roots
	Subagents int   // their subagents' sessions
}

// Health reads the schema and the sizes and counts the sessions.
func (s *Store) Health(ctx context.Context) (Health, error) {
	const act = "look at the database"
	h := Health{Size: sizeOf(s.path), Log: s.walSize()}
	var err error
	if h.Schema, err = schemaOf(ctx, s.read); err != nil {
		return h, s.fault(ctx, act, err)
	}
	err = s.read.QueryRowContext(ctx, countSQL).Scan(&h.Sessions, &h.Subagents)
	return h, s.fault(ctx, act, err)
}

// Unended is a root session in which runs, its own or its subagents', have no end in
// the log: a process is driving it now, or died while it did. Runs on other machines do not count.
type Unended struct {
	Root    lifecycle.SessionID
	Title   string
	Folder  string
	Updated time.Time
	Runs    int
}

// Unended lists the root sessions with runs that have not ended, most recently
// updated first. An empty list is not an error.
func (s *Store) Unended(ctx context.Context) ([]Unended, error) {
	list, err := collect(ctx, s.read, func(rows *sql.Rows) (u Unended, err error) {
		var updated int64
		err = rows.Scan(&u.Root, &u.Title, &u.Folder, &updated, &u.Runs)
		u.Updated = time.UnixMicro(updated).UTC()
		return u, err
	}, unendedSQL)
	return list, s.fault(ctx, "list the runs that have not ended", err)
}

// RootOf returns the root session of a run, or "" if the run is not in the database.
func (s *Store) RootOf(ctx context.Context, run lifecycle.RunID) (lifecycle.SessionID, error) {
	root, err := s.value(ctx, "find run "+string(run), rootOfRunSQL, string(run))
	return lifecycle.SessionID(root), err
}
