package store

import (
	"context"
	"database/sql"

	"pawl/lifecycle"
)

// Overview is a root session in a list to choose from.
type Overview struct {
	SessionInfo
	State     lifecycle.State // of its newest run
	Subagents int
	Cost      float64 // US dollars, over all runs of the tree that have a price
	Unseen    bool    // its newest end came while no screen showed it, and none has since
}

const overviewsSQL = `WITH s AS (SELECT * FROM sessions WHERE parent IS NULL AND (?1 = '' OR folder = ?1)
			ORDER BY updated DESC, id DESC LIMIT ?2)
		SELECT s.id, s.root, '', s.type, s.title, s.folder, s.model, s.created, s.updated,
		(SELECT count(*) FROM runs r WHERE r.session = s.id),
		` + unreadColumn + `, ` + forkedFromColumn + `,
		coalesce((SELECT r.state FROM runs r WHERE r.session = s.id ORDER BY r.spawned DESC LIMIT 1), ''),
		(SELECT count(*) FROM sessions c WHERE c.root = s.id AND c.parent IS NOT NULL AND c.type <> ?3),
		(SELECT total(json_extract(r.data, '$.usage.cost_usd')) FROM runs r WHERE r.root = s.id),
		EXISTS (SELECT 1 FROM session_facts f WHERE f.session = s.id AND f.name = '` + FactUnseen + `' AND f.value <> '')
		FROM s ORDER BY s.updated DESC, s.id DESC`

func scanOverview(rows *sql.Rows) (o Overview, err error) {
	o.SessionInfo, err = scanSessionAnd(rows, &o.State, &o.Subagents, &o.Cost, &o.Unseen)
	return o, err
}

// Overviews lists the root sessions of a folder, or of all folders if it is empty, most
// recently updated first: at most limit, or all if limit is less than 1. Shells do not
// count as subagents.
func (s *Store) Overviews(ctx context.Context, folder string, limit int) ([]Overview, error) {
	found, err := collect(ctx, s.read, scanOverview, overviewsSQL, folder, sqlLimit(limit), string(lifecycle.KindShell))
	return found, s.fault(ctx, "list the sessions", err)
}
