package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"pawl/lifecycle"
)

// FactTodo is the todo list of a session, in the words of whoever wrote it.
const FactTodo = "todo"

// FactOpenings is when, by which Pawl and with which settings a root session was taken
// up, in the words of whoever wrote it.
const FactOpenings = "openings"

const setSessionFactSQL = `INSERT INTO session_facts (session, name, value) VALUES (?, ?, ?)
	ON CONFLICT (session, name) DO UPDATE SET value = excluded.value`

// SessionFact reads something that is remembered of a session; empty where nothing
// was set.
func (s *Store) SessionFact(ctx context.Context, session lifecycle.SessionID, name string) (string, error) {
	var value string
	err := s.read.QueryRowContext(ctx, `SELECT value FROM session_facts WHERE session = ? AND name = ?`, string(session), name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, s.fault(ctx, fmt.Sprintf("read the %s of session %s", name, session), err)
}

// SetSessionFact remembers it, in place of what stood there, for as long as there
// is the session.
func (s *Store) SetSessionFact(ctx context.Context, session lifecycle.SessionID, name, value string) error {
	return s.transact(ctx, fmt.Sprintf("keep the %s of session %s", name, session), func(t *transaction) error {
		_, err := t.exec(t.do.setSessionFact, string(session), name, value)
		return err
	})
}
