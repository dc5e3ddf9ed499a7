package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// statements are all statements that write, compiled once for the one connection
// that writes.
type statements struct {
	schema, openSession, touchSession                           *sql.Stmt
	insertRun, changeRun                                        *sql.Stmt
	insertRecord, queueNotice, resolveNotice                    *sql.Stmt
	insertMessage, lastSeq                                      *sql.Stmt
	setFact, setSessionFact, eraseRoot, eraseRecords, eraseRuns *sql.Stmt
	eraseFact                                                   *sql.Stmt
}

// each calls fn with every statement and its text.
func (d *statements) each(fn func(stmt **sql.Stmt, text string) error) error {
	for _, one := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&d.schema, `PRAGMA user_version`},
		{&d.openSession, openSessionSQL},
		{&d.touchSession, touchSessionSQL},
		{&d.insertRun, insertRunSQL},
		{&d.changeRun, changeRunSQL},
		{&d.insertRecord, insertRecordSQL},
		{&d.queueNotice, queueNoticeSQL},
		{&d.resolveNotice, resolveNoticeSQL},
		{&d.insertMessage, insertMessageSQL},
		{&d.lastSeq, lastSeqSQL},
		{&d.setFact, setFactSQL},
		{&d.setSessionFact, setSessionFactSQL},
		{&d.eraseFact, `DELETE FROM facts WHERE name = ?`},
		{&d.eraseRecords, `DELETE FROM records WHERE root = ?`},
		{&d.eraseRuns, `DELETE FROM runs WHERE root = ?`},
		{&d.eraseRoot, `DELETE FROM sessions WHERE id = ? AND root = id`},
	} {
		if err := fn(one.stmt, one.text); err != nil {
			return err
		}
	}
	return nil
}

func (d *statements) prepare(ctx context.Context, db *sql.DB) error {
	return d.each(func(stmt **sql.Stmt, text string) (err error) {
		*stmt, err = db.PrepareContext(ctx, text)
		return err
	})
}

func (d *statements) close() error {
	return d.each(func(stmt **sql.Stmt, _ string) error {
		if *stmt == nil {
			return nil
		}
		return (*stmt).Close()
	})
}

// transaction is one write in progress. Its methods stand in the files of the nouns
// they write.
type transaction struct {
	ctx context.Context //nolint:containedctx // lives as long as one call
	tx  *sql.Tx
	do  *statements
}

// exec runs one statement and returns how many rows it changed.
func (t *transaction) exec(stmt *sql.Stmt, args ...any) (int64, error) {
	result, err := t.tx.StmtContext(t.ctx, stmt).ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// transact runs fn in a transaction that excludes other writers, and commits it. An
// error leaves nothing behind. On a full disk it makes what room it can and retries
// once, so fn may run twice.
func (s *Store) transact(ctx context.Context, act string, fn func(*transaction) error) error {
	if s.write == nil {
		return s.readOnly(act)
	}
	err := s.commit(ctx, act, fn)
	if errors.Is(err, ErrFull) && s.makeRoom(ctx) {
		err = s.commit(ctx, act, fn)
	}
	return err
}

func (s *Store) commit(ctx context.Context, act string, fn func(*transaction) error) error {
	tx, err := s.begin(ctx)
	if err != nil {
		return s.fault(ctx, act, err)
	}
	defer tx.Rollback() //nolint:errcheck // after Commit it has nothing to do
	t := &transaction{ctx: ctx, tx: tx, do: &s.do}
	if err := s.recheckSchema(t); err != nil {
		return s.fault(ctx, act, err)
	}
	if err := fn(t); err != nil {
		return s.fault(ctx, act, err)
	}
	return s.fault(ctx, act, tx.Commit())
}

// makeRoom checkpoints the write-ahead log and reports whether all of it was moved.
// That needs little space if the file has these pages already, and the log's own
// space can then be reused.
func (s *Store) makeRoom(ctx context.Context) bool {
	var busy, pages, moved int
	err := s.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(passive)").Scan(&busy, &pages, &moved)
	return err == nil && busy == 0 && pages > 0 && moved == pages
}

// begin takes SQLite's write lock. SQLite waits for it a while; then Options.Waiting
// is called and it waits again, for at most maxWait.
func (s *Store) begin(ctx context.Context) (*sql.Tx, error) {
	since := time.Now()
	for {
		tx, err := s.write.BeginTx(ctx, nil)
		if c := s.code(err); c != codeBusy && c != codeLocked {
			return tx, err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		waited := time.Since(since)
		if waited >= s.options.maxWait {
			return nil, err
		}
		if s.options.Waiting != nil {
			s.options.Waiting(waited)
		}
	}
}

// recheckSchema refuses to write if a newer program has changed the schema while this
// one had the file open.
func (s *Store) recheckSchema(t *transaction) error {
	var version int
	if err := t.tx.StmtContext(t.ctx, t.do.schema).QueryRowContext(t.ctx).Scan(&version); err != nil {
		return err
	}
	return s.checkSchema(version)
}

// collect reads all rows of a query and releases the connection.
func collect[T any](ctx context.Context, db interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, scan func(*sql.Rows) (T, error), query string, args ...any,
) (all []T, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// missing is the error of a change to a row that is not there.
func missing(what string) error { return fmt.Errorf("%s is not in the database", what) }
