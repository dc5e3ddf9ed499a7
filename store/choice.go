package store

import (
	"context"

	"pawl/lifecycle"
)

// FactModel names the session fact that holds the model chosen for the session.
const FactModel = "model"

// FactEffort names the session fact that holds the effort chosen for the session.
const FactEffort = "effort"

// ChooseModel records the model that a person chose for a root session, and that it is
// the model used last. For a session that has no run yet it records only the latter: the
// first run brings the model along.
func (s *Store) ChooseModel(ctx context.Context, root lifecycle.SessionID, model string) error {
	return s.transact(ctx, "keep the model of session "+string(root), func(t *transaction) error {
		var known int
		row := t.tx.QueryRowContext(t.ctx, `SELECT count(*) FROM sessions WHERE id = ?`, string(root))
		if err := row.Scan(&known); err != nil {
			return err
		}
		if known > 0 {
			if _, err := t.exec(setSessionFactSQL, string(root), FactModel, model); err != nil {
				return err
			}
		}
		return t.setFact(factLastModel, model)
	})
}
