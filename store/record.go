package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"pawl/lifecycle"
)

const (
	insertRecordSQL = `INSERT INTO records (root, seq, time, session, run, event, data, request) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

	hasRecordSQL = `SELECT EXISTS (SELECT 1 FROM records
		WHERE root = ? AND seq = ? AND time = ? AND session = ? AND run = ? AND event = ? AND data = ? AND request = ?)`

	lastOfRootSQL = `SELECT coalesce(max(seq), 0) FROM records WHERE root = ?`

	// With the last record that is of the session from which this one was forked.
	endsSQL = `SELECT (SELECT coalesce(max(seq), 0) FROM records WHERE root = ?1),
		coalesce((SELECT json_extract(value, '$.seq') - 1 FROM session_facts WHERE session = ?1 AND name = ?2), 0)`

	lastSeqSQL = `SELECT coalesce(max(seq), 0) FROM records WHERE root = (SELECT root FROM sessions WHERE id = ?)`

	recordColumns = `SELECT root, seq, time, session, run, event, data, request FROM records `

	recordsSQL = recordColumns + `WHERE root = ? AND seq > ? ORDER BY seq LIMIT ?`

	// INDEXED BY makes a query fail, rather than become slow, if its index no longer fits.
	tailSQL = recordColumns + `INDEXED BY records_session WHERE root = ? AND session = ? AND seq < ? ORDER BY seq DESC LIMIT ?`

	changeRecordsSQL = recordColumns + `INDEXED BY records_change WHERE root = ? AND event IN
		('spawned', 'message_taken', 'files_changed', 'landed', 'rewound') ORDER BY seq`

	toolEndsSQL = recordColumns + `WHERE root = ? AND seq < ? AND event = 'tool_ended' AND json_extract(data, '$.tool') = ? ORDER BY seq`

	endsSinceSQL = recordColumns + `WHERE root = ? AND seq >= ? AND event IN ('ended', 'consumed') ORDER BY seq`

	messageRecordsSQL = recordColumns + `INDEXED BY records_message WHERE root = ? AND event IN
		('message_queued', 'message_edited', 'message_moved', 'message_taken', 'message_withdrawn') ORDER BY seq`
)

// values are the columns of a record's row.
func values(rec lifecycle.Record) ([]any, error) {
	data, err := json.Marshal(rec.Event)
	if err != nil {
		return nil, fmt.Errorf("encode record %d, %s: %w", rec.Seq, lifecycle.Name(rec.Event), err)
	}
	return []any{
		string(rec.Root), int64(rec.Seq), rec.Time.UnixMicro(),
		string(rec.Session), string(rec.Run), lifecycle.Name(rec.Event), string(data), rec.Request,
	}, nil
}

// hasRecord reports whether exactly this record is in the log.
func (s *Store) hasRecord(ctx context.Context, rec lifecycle.Record) (there bool, err error) {
	row, err := values(rec)
	if err == nil {
		err = s.read.QueryRowContext(ctx, hasRecordSQL, row...).Scan(&there)
	}
	return there, err
}

func (t *transaction) putRecord(rec lifecycle.Record) error {
	row, err := values(rec)
	if err != nil {
		return err
	}
	if _, err := t.exec(insertRecordSQL, row...); err != nil {
		return fmt.Errorf("record %d, %s of run %s: %w", rec.Seq, lifecycle.Name(rec.Event), rec.Run, err)
	}
	return nil
}

func scanRecord(rows *sql.Rows) (lifecycle.Record, error) {
	var rec lifecycle.Record
	var at int64
	var name string
	var data sql.RawBytes
	if err := rows.Scan(&rec.Root, &rec.Seq, &at, &rec.Session, &rec.Run, &name, &data, &rec.Request); err != nil {
		return rec, err
	}
	event, err := lifecycle.DecodeEvent(name, data)
	if err != nil {
		return rec, fmt.Errorf("record %d of session %s: %w", rec.Seq, rec.Root, err)
	}
	rec.Time, rec.Event = time.UnixMicro(at).UTC(), event
	return rec, nil
}

// Records reads the log of a root session, its subagents' records included: at most
// limit records after seq, in order, or all if limit is less than 1. An empty log is
// not an error.
func (s *Store) Records(ctx context.Context, root lifecycle.SessionID, after lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
	records, err := collectPage(ctx, s, scanRecord, recordsSQL, string(root), int64(after), sqlLimit(limit))
	return records, s.fault(ctx, "read the log of session "+string(root), err)
}

// Tail reads the last limit records of one session before seq, in order; 0 for seq
// means the end of the log. It costs as much as it returns, however long the log is.
func (s *Store) Tail(ctx context.Context, root, session lifecycle.SessionID, before lifecycle.Seq, limit int) ([]lifecycle.Record, error) {
	if before <= 0 {
		before = math.MaxInt64
	}
	records, err := collect(ctx, s.read, scanRecord, tailSQL, string(root), string(session), int64(before), sqlLimit(limit))
	slices.Reverse(records)
	return records, s.fault(ctx, "read the end of session "+string(session), err)
}

// ChangeRecords reads what lifecycle/files folds of the log of a root session, its subagents' records
// included: changes of files, landings and rewinds, and the prompts that they belong to, in order. It
// costs as much as it returns.
func (s *Store) ChangeRecords(ctx context.Context, root lifecycle.SessionID) ([]lifecycle.Record, error) {
	records, err := collect(ctx, s.read, scanRecord, changeRecordsSQL, string(root))
	return records, s.fault(ctx, "read the changes of session "+string(root), err)
}

// ToolEnds reads the ends of all calls of one tool before a record, in order. It looks at the whole log
// up to there.
func (s *Store) ToolEnds(ctx context.Context, root lifecycle.SessionID, before lifecycle.Seq, tool string) ([]lifecycle.Record, error) {
	records, err := collect(ctx, s.read, scanRecord, toolEndsSQL, string(root), int64(before), tool)
	return records, s.fault(ctx, "read the calls of "+tool+" in session "+string(root), err)
}

// EndsSince reads from a record on which runs have ended, and of which ends their parents have learned, in
// order. It looks at the whole log from there.
func (s *Store) EndsSince(ctx context.Context, root lifecycle.SessionID, from lifecycle.Seq) ([]lifecycle.Record, error) {
	records, err := collect(ctx, s.read, scanRecord, endsSinceSQL, string(root), int64(from))
	return records, s.fault(ctx, "read the ends of session "+string(root), err)
}

// LastSeq returns the number of the newest record of a root session's log, or 0 if it
// is empty.
func (s *Store) LastSeq(ctx context.Context, root lifecycle.SessionID) (seq lifecycle.Seq, err error) {
	err = s.read.QueryRowContext(ctx, lastOfRootSQL, string(root)).Scan(&seq)
	return seq, s.fault(ctx, "read the end of session "+string(root), err)
}

// Load returns what is needed to resume a root session. Of the log it reads only the
// records of messages. An unknown session gives an empty Loaded and no error.
func (s *Store) Load(ctx context.Context, root lifecycle.SessionID) (lifecycle.Loaded, error) {
	loaded, err := s.load(ctx, root)
	return loaded, s.fault(ctx, "load session "+string(root), err)
}

func (s *Store) load(ctx context.Context, root lifecycle.SessionID) (loaded lifecycle.Loaded, err error) {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // one moment for all three
	if err != nil {
		return loaded, err
	}
	defer tx.Rollback() //nolint:errcheck // it wrote nothing
	if err := tx.QueryRowContext(ctx, endsSQL, string(root), FactForkedFrom).Scan(&loaded.Seq, &loaded.Copied); err != nil {
		return lifecycle.Loaded{}, err
	}
	if loaded.Runs, err = collect(ctx, tx, scanRun, runsSQL, string(root), -1, 0); err != nil {
		return lifecycle.Loaded{}, err
	}
	if loaded.Messages, err = collect(ctx, tx, scanRecord, messageRecordsSQL, string(root)); err != nil {
		return lifecycle.Loaded{}, err
	}
	return loaded, nil
}

// sqlLimit converts a limit for SQLite, where a negative one means none.
func sqlLimit(limit int) int {
	if limit < 1 {
		return -1
	}
	return limit
}
