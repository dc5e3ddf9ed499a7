package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"sync/atomic"

	"modernc.org/sqlite"
)

// teller counts what a store asks of the engine that people get: transactions,
// statements that write, and queries.
type teller struct{ commits, writes, queries atomic.Int64 }

// engine is that engine with the teller before it.
func (n *teller) engine() engine {
	counted := modernc
	counted.open = func(source string) (*sql.DB, error) { return sql.OpenDB(told{source, n}), nil }
	return counted
}

// spent says what an act asked for: transactions, statements that write, queries.
func (n *teller) spent(act func()) (counts [3]int64) {
	for i, count := range []*atomic.Int64{&n.commits, &n.writes, &n.queries} {
		counts[i] = -count.Load()
	}
	act()
	for i, count := range []*atomic.Int64{&n.commits, &n.writes, &n.queries} {
		counts[i] += count.Load()
	}
	return counts
}

type told struct {
	source string
	n      *teller
}

type (
	toldConn struct {
		liarConn
		n *teller
	}
	toldTx struct {
		driver.Tx
		n *teller
	}
	toldStmt struct {
		driver.Stmt
		n *teller
	}
)

func (to told) Driver() driver.Driver { return &sqlite.Driver{} }

func (to told) Connect(context.Context) (driver.Conn, error) {
	conn, err := to.Driver().Open(to.source)
	if err != nil {
		return nil, err
	}
	return toldConn{conn.(liarConn), to.n}, nil
}

func (c toldConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	tx, err := c.liarConn.BeginTx(ctx, options)
	return toldTx{tx, c.n}, err
}

func (c toldConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	stmt, err := c.liarConn.PrepareContext(ctx, query)
	return toldStmt{stmt, c.n}, err
}

func (c toldConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c.n.writes.Add(1)
	return c.liarConn.ExecContext(ctx, query, args)
}

func (c toldConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c.n.queries.Add(1)
	return c.liarConn.QueryContext(ctx, query, args)
}

func (t toldTx) Commit() error {
	t.n.commits.Add(1)
	return t.Tx.Commit()
}

func (s toldStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	s.n.writes.Add(1)
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

func (s toldStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	s.n.queries.Add(1)
	return s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}
