package store

import (
	"context"
	"fmt"

	"pawl/lifecycle"
)

// FactTodo names the session fact that holds the todo list, in its writer's format.
const FactTodo = "todo"

// FactOpenings names the session fact that holds when, by which Pawl and with which
// settings a root session was opened, in its writer's format.
const FactOpenings = "openings"

// FactUnseen names the session fact that is set while nobody has seen how the session ended.
const FactUnseen = "unseen"

const setSessionFactSQL = `INSERT INTO session_facts (session, name, value) VALUES (?, ?, ?)
	ON CONFLICT (session, name) DO UPDATE SET value = excluded.value`

// SessionFact reads a value that belongs to a session; empty if it was never set.
func (s *Store) SessionFact(ctx context.Context, session lifecycle.SessionID, name string) (string, error) {
	return s.value(ctx, fmt.Sprintf("read the %s of session %s", name, session),
		`SELECT value FROM session_facts WHERE session = ? AND name = ?`, string(session), name)
}

// SetSessionFact sets a value that belongs to a session, replacing any earlier one.
// It is removed with the session.
func (s *Store) SetSessionFact(ctx context.Context, session lifecycle.SessionID, name, value string) error {
	return s.transact(ctx, fmt.Sprintf("keep the %s of session %s", name, session), func(t *transaction) error {
		_, err := t.exec(setSessionFactSQL, string(session), name, value)
		return err
	})
}
