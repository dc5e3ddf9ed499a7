package store

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"
)

// statements are all that write, compiled once for the one connection that writes, by
// their text.
type statements map[string]*sql.Stmt

// compiled are statements that read, each compiled when it is first needed.
type compiled struct {
	mu    sync.Mutex
	known statements
}

func (c *compiled) get(ctx context.Context, db *sql.DB, text string) (*sql.Stmt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if stmt := c.known[text]; stmt != nil {
		return stmt, nil
	}
	stmt, err := db.PrepareContext(ctx, text)
	if err == nil {
		c.known[text] = stmt
	}
	return stmt, err
}

const schemaSQL = `PRAGMA user_version`

func (d statements) prepare(ctx context.Context, db *sql.DB) error {
	for _, text := range []string{
		schemaSQL, openSessionSQL, touchSessionSQL, insertRunSQL, changeRunSQL, insertRecordSQL, queueNoticeSQL, resolveNoticeSQL,
		insertMessageSQL, lastSeqSQL, setFactSQL, setSessionFactSQL, eraseFactSQL, eraseRecordsSQL, eraseRunsSQL, eraseRootSQL,
		addCostSQL, hideCostsSQL, insertSessionSQL, insertNoticeSQL, eraseSessionFactSQL,
	} {
		stmt, err := db.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		d[text] = stmt
	}
	return nil
}

// transaction is one write in progress. Its methods stand in the files of the nouns
// they write.
type transaction struct {
	ctx context.Context //nolint:containedctx // lives as long as one call
	tx  *sql.Tx
	do  statements
}

// exec runs one statement and returns how many rows it changed.
func (t *transaction) exec(text string, args ...any) (int64, error) {
	result, err := t.tx.StmtContext(t.ctx, t.do[text]).ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// change is exec for a row that has to be there.
func (t *transaction) change(text string, args ...any) error {
	changed, err := t.exec(text, args...)
	if err == nil && changed == 0 {
		err = errors.New("it is not in the database")
	}
	return err
}

// queryRow runs one statement for the row that it returns.
func (t *transaction) queryRow(text string, args ...any) *sql.Row {
	return t.tx.StmtContext(t.ctx, t.do[text]).QueryRowContext(t.ctx, args...)
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
	t := &transaction{ctx: ctx, tx: tx, do: s.do}
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
	if err := t.queryRow(schemaSQL).Scan(&version); err != nil {
		return err
	}
	return s.checkSchema(version)
}

// collect reads all rows of a query and releases the connection.
func collect[T any](ctx context.Context, db interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, scan func(*sql.Rows) (T, error), query string, args ...any,
) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return scanAll(rows, scan)
}

// collectPage is collect for a query of which one page after another is read: it is compiled once.
func collectPage[T any](ctx context.Context, s *Store, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	stmt, err := s.paging.get(ctx, s.read, query)
	if err != nil {
		return nil, err
	}
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	return scanAll(rows, scan)
}

func scanAll[T any](rows *sql.Rows, scan func(*sql.Rows) (T, error)) (all []T, err error) {
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
