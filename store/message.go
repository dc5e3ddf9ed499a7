package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"pawl/lifecycle"
)

const (
	insertMessageSQL = `INSERT INTO messages (session, seq, run, kind, call, source, body) VALUES (?, ?, ?, ?, ?, ?, ?)`

	entriesSQL = `SELECT id, session, run, kind, coalesce(call, ''), coalesce(source, ''), body
		FROM messages WHERE session = ? AND id > ? AND seq <= ? ORDER BY id LIMIT ? OFFSET ?`

	entriesBeforeSQL = `SELECT count(*) FROM messages WHERE session = ? AND seq < ?`
)

// putMessage writes one transcript entry. seq is the last record of the same
// change, or 0 for the newest record of the log.
func (t *transaction) putMessage(entry lifecycle.Entry, seq lifecycle.Seq) error {
	if seq == 0 {
		if err := t.queryRow(lastSeqSQL, string(entry.Session)).Scan(&seq); err != nil {
			return err
		}
	}
	_, err := t.exec(insertMessageSQL, string(entry.Session), int64(seq), string(entry.Run), string(entry.Kind),
		nullable(entry.Call), nullable(entry.Source), string(entry.Body))
	if err != nil {
		return fmt.Errorf("%s entry of session %s: %w", entry.Kind, entry.Session, err)
	}
	return nil
}

// row is an entry with the id of its row.
type row struct {
	id    int64
	entry lifecycle.Entry
}

func scanEntry(rows *sql.Rows) (r row, err error) {
	var body string
	err = rows.Scan(&r.id, &r.entry.Session, &r.entry.Run, &r.entry.Kind, &r.entry.Call, &r.entry.Source, &body)
	r.entry.Body = json.RawMessage(body)
	return r, err
}

// pageCursor remembers the row at which the last page of a transcript ended, so that
// reading the next page need not skip over all rows before it. A transcript only
// grows, so the row stays right.
type pageCursor struct {
	mu      sync.Mutex
	session lifecycle.SessionID
	seq     lifecycle.Seq
	after   int // entries
	id      int64
}

// find returns the row after which a page begins, and how many entries to skip from there.
func (p *pageCursor) find(session lifecycle.SessionID, seq lifecycle.Seq, after int) (id int64, skip int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.session != session || p.seq != seq || p.after != after {
		return 0, after
	}
	return p.id, 0
}

func (p *pageCursor) put(session lifecycle.SessionID, seq lifecycle.Seq, after int, id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session, p.seq, p.after, p.id = session, seq, after, id
}

// Entries reads the transcript of one session in the order it was written. An
// empty transcript is not an error.
func (s *Store) Entries(ctx context.Context, session lifecycle.SessionID) ([]lifecycle.Entry, error) {
	return s.EntriesUntil(ctx, session, math.MaxInt64, 0, -1)
}

// EntriesUntil reads the transcript of one session as it stood when seq was the last
// record of its log, which is what an export at that record shows. It skips the first
// after entries and returns at most limit, or all if limit is -1. Reading page by page
// costs as much as it returns, however long the transcript is.
func (s *Store) EntriesUntil(ctx context.Context, session lifecycle.SessionID, seq lifecycle.Seq, after, limit int) ([]lifecycle.Entry, error) {
	from, skip := s.page.find(session, seq, after)
	rows, err := collectPage(ctx, s, scanEntry, entriesSQL, string(session), from, int64(seq), limit, skip)
	if err != nil || len(rows) == 0 {
		return nil, s.fault(ctx, "read the transcript of session "+string(session), err)
	}
	s.page.put(session, seq, after+len(rows), rows[len(rows)-1].id)
	entries := make([]lifecycle.Entry, len(rows))
	for i, r := range rows {
		entries[i] = r.entry
	}
	return entries, nil
}

// EntriesBefore counts the entries of a session's transcript that were written before a record. What
// was written in one change with it, even for an earlier record, does not count.
func (s *Store) EntriesBefore(ctx context.Context, session lifecycle.SessionID, seq lifecycle.Seq) (count int, err error) {
	err = s.read.QueryRowContext(ctx, entriesBeforeSQL, string(session), int64(seq)).Scan(&count)
	return count, s.fault(ctx, "count the transcript of session "+string(session), err)
}
