package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"modernc.org/sqlite"
)

// liar is a driver that, once, does what it was asked to and says that it failed.
type liar struct {
	source string
	left   *atomic.Int64 // commits until the lie
}

var errLie = errors.New("the disk went away for a moment")

type liarConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
}

type lyingConn struct {
	liarConn
	left *atomic.Int64
}

type lyingTx struct {
	driver.Tx
	left *atomic.Int64
}

func (l liar) Driver() driver.Driver { return &sqlite.Driver{} }

func (l liar) Connect(context.Context) (driver.Conn, error) {
	conn, err := l.Driver().Open(l.source)
	if err != nil {
		return nil, err
	}
	return lyingConn{conn.(liarConn), l.left}, nil
}

func (c lyingConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	tx, err := c.liarConn.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	return lyingTx{tx, c.left}, nil
}

func (t lyingTx) Commit() error {
	err := t.Tx.Commit()
	if t.left.Add(-1) == 0 && err == nil {
		return errLie
	}
	return err
}

// lying is the engine that people get, whose commit number at lies.
func lying(at int64) (engine, *atomic.Int64) {
	left := &atomic.Int64{}
	left.Store(at)
	lies := modernc
	lies.open = func(source string) (*sql.DB, error) { return sql.OpenDB(liar{source, left}), nil }
	return lies, left
}

// What was done and reported as failed is done once: an append is not even told
// as failed, and all else can be asked for again.
func TestWhatWasDoneAndReportedAsFailedIsDoneOnce(t *testing.T) {
	for at := int64(1); ; at++ {
		lies, left := lying(at)
		dr := newFullStory(t, quick(t), lies)
		for _, sc := range dr.scenes {
			err := sc.act(dr)
			if err != nil {
				require.ErrorIs(t, err, errLie)
				require.NotEqual(t, "append", sc.name, "a failed append is numbered anew, and would be refused for ever")
				err = sc.act(dr)
			}
			require.NoError(t, err, "%s, after the lie at commit %d", sc.name, at)
		}
		dr.holds(dr.path, len(dr.scenes), false)
		if left.Load() > 0 {
			t.Logf("%d commits, each done and reported as failed once", at-1)
			return
		}
	}
}
