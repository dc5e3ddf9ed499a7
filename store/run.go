package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"pawl/lifecycle"
)

const (
	insertRunSQL = `INSERT INTO runs (id, root, session, parent, spawned, state, ended, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

	changeRunSQL = `UPDATE runs SET state = ?, ended = ?, data = ? WHERE id = ?`

	runsSQL = `SELECT data FROM runs WHERE root = ? ORDER BY spawned LIMIT ? OFFSET ?`
)

// putRun writes the current state of a run. spawned is the record that created it,
// or 0 if its row exists already.
func (t *transaction) putRun(run lifecycle.Run, spawned lifecycle.Seq) error {
	data, err := json.Marshal(run)
	if err != nil {
		return fmt.Errorf("encode run %s: %w", run.ID, err)
	}
	var ended any
	if run.State.Terminal() {
		ended = run.EndedAt.UnixMicro()
	}
	if spawned > 0 {
		_, err = t.exec(insertRunSQL, string(run.ID), string(run.Root), string(run.Session), nullable(run.Parent),
			int64(spawned), string(run.State), ended, string(data))
	} else {
		err = t.change(changeRunSQL, string(run.State), ended, string(data), string(run.ID))
	}
	if err != nil {
		return fmt.Errorf("run %s, %s: %w", run.ID, run.State, err)
	}
	return nil
}

func scanRun(rows *sql.Rows) (run lifecycle.Run, err error) {
	var data sql.RawBytes
	if err := rows.Scan(&data); err != nil {
		return run, err
	}
	if err := json.Unmarshal(data, &run); err != nil {
		return run, fmt.Errorf("read a run: %w", err)
	}
	return run, nil
}

// Runs lists the runs of a root session and of its subagents in the order they were
// spawned, each as its last record left it. It skips the first after runs, reading
// only the index, and returns at most limit, or all if limit is less than 1.
func (s *Store) Runs(ctx context.Context, root lifecycle.SessionID, after, limit int) ([]lifecycle.Run, error) {
	runs, err := collect(ctx, s.read, scanRun, runsSQL, string(root), sqlLimit(limit), after)
	return runs, s.fault(ctx, "read the runs of session "+string(root), err)
}

// nullable turns an empty text into NULL.
func nullable[T ~string](text T) any {
	if text == "" {
		return nil
	}
	return string(text)
}
