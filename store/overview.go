package store

import (
	"context"
	"database/sql"

	"pawl/lifecycle"
)

// Overview is a root session in a list to choose from.
type Overview struct {
	SessionInfo
	State     lifecycle.State // of its newest run; interrupted if its process died at work
	Subagents int
	Cost      float64 // US dollars, over all runs of the tree that have a price
	Unseen    bool    // something ended by itself, or its process died at work, and no screen has shown it since

	unended bool // runs of it are at work, or a dead process left them like that
}

const overviewsSQL = `WITH s AS (SELECT * FROM sessions WHERE parent IS NULL AND (?1 = '' OR folder = ?1) AND (?4 = '' OR id = ?4)
			ORDER BY updated DESC, id DESC LIMIT ?2)
		SELECT s.id, s.root, '', s.type, s.title, s.folder, s.model, s.created, s.updated,
		(SELECT count(*) FROM runs r WHERE r.session = s.id),
		` + unreadColumn + `, ` + forkedFromColumn + `,
		coalesce((SELECT r.state FROM runs r WHERE r.session = s.id ORDER BY r.spawned DESC LIMIT 1), ''),
		(SELECT count(*) FROM sessions c WHERE c.root = s.id AND c.parent IS NOT NULL AND c.type <> ?3),
		(SELECT total(json_extract(r.data, '$.usage.cost_usd')) FROM runs r WHERE r.root = s.id),
		EXISTS (SELECT 1 FROM session_facts f WHERE f.session = s.id AND f.name = '` + FactUnseen + `' AND f.value <> ''),
		EXISTS (SELECT 1 FROM runs r WHERE r.root = s.id AND ` + unendedHere + `)
		FROM s ORDER BY s.updated DESC, s.id DESC`

func scanOverview(rows *sql.Rows) (o Overview, err error) {
	o.SessionInfo, err = scanSessionAnd(rows, &o.State, &o.Subagents, &o.Cost, &o.Unseen, &o.unended)
	return o, err
}

// Overviews lists the root sessions of a folder, or of all folders if it is empty, most
// recently updated first: at most limit, or all if limit is less than 1. Shells do not
// count as subagents.
func (s *Store) Overviews(ctx context.Context, folder string, limit int) ([]Overview, error) {
	found, err := s.overviews(ctx, folder, limit, "")
	for i := range found {
		if err == nil && found[i].unended {
			found[i], err = s.unended(ctx, found[i])
		}
	}
	return found, s.fault(ctx, "list the sessions", err)
}

func (s *Store) overviews(ctx context.Context, folder string, limit int, id lifecycle.SessionID) ([]Overview, error) {
	return collect(ctx, s.read, scanOverview, overviewsSQL, folder, sqlLimit(limit), string(lifecycle.KindShell), string(id))
}

// unended is how a session stands whose runs had not ended a moment ago. Where no process drives it, it
// is read again: one that left in order meanwhile has recorded their ends.
func (s *Store) unended(ctx context.Context, o Overview) (Overview, error) {
	if _, held, err := s.Holder(o.ID); held || err != nil { // an error does not say that nobody has it
		return o, nil
	}
	again, err := s.overviews(ctx, "", 1, o.ID)
	if err != nil || len(again) == 0 { // it was removed
		return o, err
	}
	if again[0].unended {
		again[0].State, again[0].Unseen = lifecycle.StateInterrupted, true
	}
	return again[0], nil
}
