package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"

	"pawl/lifecycle"
)

const (
	insertMessageSQL = `INSERT INTO messages (session, seq, run, kind, call, source, body) VALUES (?, ?, ?, ?, ?, ?, ?)`

	entriesSQL = `SELECT session, run, kind, coalesce(call, ''), coalesce(source, ''), body
		FROM messages WHERE session = ? AND seq <= ? ORDER BY id LIMIT ? OFFSET ?`
)

// putMessage writes one transcript entry. seq is the last record that was
// written before it, 0 where its own change has none.
func (t *transaction) putMessage(entry lifecycle.Entry, seq lifecycle.Seq) error {
	if seq == 0 {
		row := t.tx.StmtContext(t.ctx, t.do.lastSeq).QueryRowContext(t.ctx, string(entry.Session))
		if err := row.Scan(&seq); err != nil {
			return err
		}
	}
	_, err := t.exec(t.do.insertMessage, string(entry.Session), int64(seq), string(entry.Run), string(entry.Kind),
		nullable(entry.Call), nullable(entry.Source), string(entry.Body))
	if err != nil {
		return fmt.Errorf("%s entry of session %s: %w", entry.Kind, entry.Session, err)
	}
	return nil
}

func scanEntry(rows *sql.Rows) (entry lifecycle.Entry, err error) {
	var body string
	err = rows.Scan(&entry.Session, &entry.Run, &entry.Kind, &entry.Call, &entry.Source, &body)
	entry.Body = json.RawMessage(body)
	return entry, err
}

// Entries reads the transcript of one session in the order in which it was
// written. No entries, no error.
func (s *Store) Entries(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Entry, error) {
	return s.EntriesUntil(ctx, session, math.MaxInt64, 0, -1)
}

// EntriesUntil reads the transcript of one session as it stood when record seq of
// its log was the last, which is what an export of that record number shows: the
// entries behind the first so many, at most limit of them or, with -1, all.
func (s *Store) EntriesUntil(ctx context.Context, session lifecycle.SessionID, seq lifecycle.Seq, after, limit int) ([]lifecycle.Entry, error) {
	entries, err := collect(ctx, s.read, scanEntry, entriesSQL, string(session), int64(seq), limit, after)
	return entries, s.fault(ctx, "read the transcript of session "+string(session), err)
}
