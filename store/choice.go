package store

import (
	"context"

	"pawl/lifecycle"
)

// FactModel is the model that a person chose for a session, in its words.
const FactModel = "model"

// ChooseModel remembers which model a person chose for a root session, and that it is
// the one used last. Of a session in which nothing has been said yet, only the latter:
// its first run says the rest.
func (s *Store) ChooseModel(ctx context.Context, root lifecycle.SessionID, model string) error {
	return s.transact(ctx, "keep the model of session "+string(root), func(t *transaction) error {
		var known int
		row := t.tx.QueryRowContext(t.ctx, `SELECT count(*) FROM sessions WHERE id = ?`, string(root))
		if err := row.Scan(&known); err != nil {
			return err
		}
		if known > 0 {
			if _, err := t.exec(t.do.setSessionFact, string(root), FactModel, model); err != nil {
				return err
			}
		}
		return t.setFact(factLastModel, model)
	})
}
