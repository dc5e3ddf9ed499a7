package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"pawl/lifecycle"
)

const (
	countSQL = `SELECT count(*) FILTER (WHERE parent IS NULL), count(*) FILTER (WHERE parent IS NOT NULL) FROM sessions`

	unendedSQL = `SELECT s.id, s.title, s.folder, s.updated, count(*) FROM runs r JOIN sessions s ON s.id = r.root
		WHERE r.ended IS NULL GROUP BY s.id ORDER BY s.updated DESC, s.id DESC`

	rootOfRunSQL = `SELECT root FROM runs WHERE id = ?`
)

// Health is what a glance at an open database shows. Check reads all of it.
type Health struct {
	Schema    int
	Size      int64 // of the file, in bytes
	Log       int64 // of the write-ahead log that is not folded into it yet
	Sessions  int   // roots
	Subagents int   // their subagents' sessions
}

// Health looks at the database.
func (s *Store) Health(ctx context.Context) (Health, error) {
	const act = "look at the database"
	h := Health{Size: s.size(), Log: s.unfolded()}
	var err error
	if h.Schema, err = schemaOf(ctx, s.read); err != nil {
		return h, s.fault(ctx, act, err)
	}
	err = s.read.QueryRowContext(ctx, countSQL).Scan(&h.Sessions, &h.Subagents)
	return h, s.fault(ctx, act, err)
}

// Unended is a root session with runs, its subagents' among them, that have no end
// in the log: somebody drives it now, or died while it did.
type Unended struct {
	Root    lifecycle.SessionID
	Title   string
	Folder  string
	Updated time.Time
	Runs    int
}

// Unended lists the sessions with runs that have not ended, the one that moved
// last first. None, no error.
func (s *Store) Unended(ctx context.Context) ([]Unended, error) {
	list, err := collect(ctx, s.read, func(rows *sql.Rows) (u Unended, err error) {
		var updated int64
		err = rows.Scan(&u.Root, &u.Title, &u.Folder, &updated, &u.Runs)
		u.Updated = time.UnixMicro(updated).UTC()
		return u, err
	}, unendedSQL)
	return list, s.fault(ctx, "list the runs that have not ended", err)
}

// RootOf is the root session that a run belongs to; empty for a run that this
// database does not know.
func (s *Store) RootOf(ctx context.Context, run lifecycle.RunID) (lifecycle.SessionID, error) {
	var root lifecycle.SessionID
	err := s.read.QueryRowContext(ctx, rootOfRunSQL, string(run)).Scan(&root)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return root, s.fault(ctx, "find run "+string(run), err)
}

// NetworkFileSystem names the network file system that a folder is on: one that a
// database of Pawl's is refused on. Empty for a local one.
func NetworkFileSystem(folder string) (string, error) { return networkFileSystem(folder) }
