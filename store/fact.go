package store

import (
	"context"
	"database/sql"
	"errors"
)

const setFactSQL = `INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

// factLastModel is the model of the newest run of a root session.
const factLastModel = "last_model"

// factTried is when it was last tried whether the database takes a write, and
// trySize its length: that of a usual write, for on a disk that is nearly full a
// small one may pass where no other does.
const (
	factTried = "write_tried"
	trySize   = 16 << 10
)

// Fact reads something that Pawl remembers and that belongs to no session; empty
// where nothing was set.
func (s *Store) Fact(ctx context.Context, name string) (string, error) {
	var value string
	err := s.read.QueryRowContext(ctx, `SELECT value FROM facts WHERE name = ?`, name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, s.fault(ctx, "read the fact "+name, err)
}

// SetFact remembers it, in place of what stood there.
func (s *Store) SetFact(ctx context.Context, name, value string) error {
	return s.transact(ctx, "remember the fact "+name, func(t *transaction) error { return t.setFact(name, value) })
}

func (t *transaction) setFact(name, value string) error {
	_, err := t.exec(t.do.setFact, name, value)
	return err
}

// LastModel is the model that the newest run of any root session was started
// with, the scripted one too; empty where there was none. Append keeps it.
func (s *Store) LastModel(ctx context.Context) (string, error) { return s.Fact(ctx, factLastModel) }
