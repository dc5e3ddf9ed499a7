package store

import (
	"context"
	"database/sql"
	"errors"
)

const setFactSQL = `INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

// factLastModel holds the model of the newest run of any root session.
const factLastModel = "last_model"

// factTried holds the time of the last trial write. It is padded to trySize bytes, the
// length of a usual write: on a nearly full disk a smaller one might succeed where
// real ones fail.
const (
	factTried = "write_tried"
	trySize   = 16 << 10
)

// Fact reads a value that belongs to no session; empty if it was never set.
func (s *Store) Fact(ctx context.Context, name string) (string, error) {
	return s.value(ctx, "read the fact "+name, `SELECT value FROM facts WHERE name = ?`, name)
}

// value reads the one text that a query returns; empty if it returns no row.
func (s *Store) value(ctx context.Context, act, query string, args ...any) (value string, err error) {
	err = s.read.QueryRowContext(ctx, query, args...).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, s.fault(ctx, act, err)
}

// SetFact sets a value that belongs to no session, replacing any earlier one.
func (s *Store) SetFact(ctx context.Context, name, value string) error {
	return s.transact(ctx, "remember the fact "+name, func(t *transaction) error { return t.setFact(name, value) })
}

func (t *transaction) setFact(name, value string) error {
	_, err := t.exec(setFactSQL, name, value)
	return err
}

// LastModel returns the model that the newest run of any root session was started
// with, the scripted one included; empty if there was none. Append keeps it current.
func (s *Store) LastModel(ctx context.Context) (string, error) { return s.Fact(ctx, factLastModel) }
