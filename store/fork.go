package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// FactForkedFrom names the session fact that says what a root session was forked from: a ForkedFrom
// in JSON. Its session may have been removed since.
const FactForkedFrom = "forked_from"

// ForkedFrom says where a session that was forked from another one has its beginning from.
type ForkedFrom struct {
	Session lifecycle.SessionID `json:"session"`
	Seq     lifecycle.Seq       `json:"seq"`              // of the first record of that session which the fork does not have
	Prompt  string              `json:"prompt,omitempty"` // the first line of the prompt before which it was forked; empty: it has all there was
}

// Fork is a new root session that begins as another one did.
type Fork struct {
	ForkedFrom
	Root lifecycle.SessionID // the id of the new one
	// Facts are its session facts and those of its subagents, by the ids of the original. The ids in
	// the values are replaced.
	Facts map[lifecycle.SessionID]map[string]string
}

const (
	forkedIDsSQL = `SELECT id FROM sessions WHERE root = ?1 UNION ALL SELECT id FROM runs WHERE root = ?1
		UNION ALL SELECT coalesce(json_extract(data, '$.message'), json_extract(data, '$.question'), json_extract(data, '$.operation'), '')
		FROM records WHERE root = ?1 AND seq < ?2 AND event IN ('message_queued', 'permission_asked', 'landed', 'rewound')`

	// The root first, which may have no run of its own yet, and then sessions in the order of their first runs.
	forkedSessionsSQL = `SELECT s.id, coalesce(s.parent, ''), s.type, s.title, s.folder,
		coalesce((SELECT json_extract(r.data, '$.model') FROM runs r WHERE r.session = s.id AND r.spawned < ?2 ORDER BY r.spawned DESC LIMIT 1), ''),
		s.created, s.updated
		FROM sessions s LEFT JOIN (SELECT session, min(spawned) AS first FROM runs WHERE root = ?1 GROUP BY session) f ON f.session = s.id
		WHERE s.root = ?1 AND (s.id = ?1 OR f.first < ?2) ORDER BY s.id <> ?1, f.first`

	forkedRunsSQL = `SELECT spawned, data FROM runs WHERE root = ? AND spawned > ? AND spawned < ? ORDER BY spawned LIMIT ?`

	forkedRecordsSQL = `SELECT seq, time, session, run, event, data, request FROM records WHERE root = ? AND seq > ? AND seq < ? ORDER BY seq LIMIT ?`

	runRecordsSQL = recordColumns + `INDEXED BY records_session WHERE root = ? AND session = ? AND seq > ? AND seq < ? AND run = ? ORDER BY seq LIMIT ?`

	forkedEntriesSQL = `SELECT id, seq, run, kind, coalesce(call, ''), coalesce(source, ''), body
		FROM messages WHERE session = ? AND id > ? AND seq < ? ORDER BY id LIMIT ?`

	stepOfSQL = `SELECT max(seq) FROM records INDEXED BY records_session
		WHERE session = ?1 AND seq < ?2 AND run = ?3 AND event = 'step_started'`

	insertSessionSQL = `INSERT INTO sessions (id, root, parent, type, title, folder, model, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

	insertNoticeSQL = `INSERT INTO notifications (run, session, state, queued, settled) VALUES (?, ?, ?, ?, ?)`
)

// forkPage is how many rows are read before they are written again.
const forkPage = 200

// Fork writes a new root session with all that another one had before a record: its log, the
// transcripts that belong to it, and its subagents. All ids are new ones, in texts too; no cost is
// added to any day. Runs that had not ended by then have not ended in the fork, and its first opening
// finds them so. The record is a prompt's or the one after the last, and 0 means the latter; if it is
// that of a message which a step took in, the step and all that it took in are left out.
//
// It reads the original only, which another process may drive, and returns what it was forked from,
// as its session fact says. It is one transaction, and memory holds a page of it at a time. The error
// is ErrUnknown if there is no such root, and ErrRefused if it has nothing before the record.
func (s *Store) Fork(ctx context.Context, f Fork) (ForkedFrom, error) {
	act := "fork session " + string(f.Session)
	from := f.ForkedFrom
	err := s.transact(ctx, act, func(t *transaction) error {
		c := forking{transaction: t, Fork: f, ids: newIDs{string(f.Session): string(f.Root)}, now: time.Now()}
		if err := c.cut(); err != nil {
			return err
		}
		if c.Seq <= 1 {
			return s.faultf(ErrRefused, nil, "%s: it has nothing before that", act)
		}
		from = c.ForkedFrom
		return c.copy()
	})
	return from, err
}

// forking is a fork that is being written.
type forking struct {
	*transaction
	Fork
	ids newIDs
	now time.Time
}

// cut finds the first record that is left out.
func (c *forking) cut() error {
	var root, last int64
	row := c.tx.QueryRowContext(c.ctx, `SELECT (SELECT count(*) FROM sessions WHERE id = ?1 AND root = ?1), coalesce(max(seq), 0) FROM records WHERE root = ?1`, string(c.Session))
	if err := row.Scan(&root, &last); err != nil {
		return err
	}
	if root == 0 {
		return &Fault{Kind: ErrUnknown, Text: fmt.Sprintf("fork session %s: there is no root session of that id", c.Session)}
	}
	if c.Seq <= 0 || int64(c.Seq) > last {
		c.Seq = lifecycle.Seq(last + 1)
		return nil
	}
	var session, run, event string
	row = c.tx.QueryRowContext(c.ctx, `SELECT session, run, event FROM records WHERE root = ? AND seq = ?`, string(c.Session), int64(c.Seq))
	if err := row.Scan(&session, &run, &event); err != nil || event != "message_taken" {
		return err
	}
	var step sql.NullInt64
	err := c.tx.QueryRowContext(c.ctx, stepOfSQL, session, int64(c.Seq), run).Scan(&step)
	if step.Valid { // both are of one transaction, whose transcript entries belong to the last record of it
		c.Seq = lifecycle.Seq(step.Int64)
	}
	return err
}

// copy writes all of it: rows before those that refer to them.
func (c *forking) copy() error {
	if err := c.learnIDs(); err != nil {
		return err
	}
	sessions, err := c.copySessions()
	if err != nil {
		return err
	}
	if err := c.copyRuns(); err != nil {
		return err
	}
	if err := c.copyRecords(); err != nil {
		return err
	}
	for _, session := range sessions {
		if err := c.copyEntries(session); err != nil {
			return err
		}
		for name, value := range c.Facts[lifecycle.SessionID(session)] {
			if _, err := c.exec(setSessionFactSQL, c.ids.of(session), name, c.ids.of(value)); err != nil {
				return err
			}
		}
	}
	fact, err := json.Marshal(c.ForkedFrom)
	if err == nil {
		_, err = c.exec(setSessionFactSQL, string(c.Root), FactForkedFrom, string(fact))
	}
	return err
}

func (c *forking) learnIDs() error {
	_, err := collect(c.ctx, c.tx, func(rows *sql.Rows) (none struct{}, err error) {
		var id string
		err = rows.Scan(&id)
		c.ids.learn(id)
		return none, err
	}, forkedIDsSQL, string(c.Session), int64(c.Seq))
	return err
}

// forkedSession is the row of a session.
type forkedSession struct {
	id, parent, kind, title, folder, model string
	created, updated                       int64
}

// copySessions writes the rows of all sessions that had begun, and returns the ids that they have in
// the original.
func (c *forking) copySessions() (ids []string, err error) {
	all, err := collect(c.ctx, c.tx, func(rows *sql.Rows) (s forkedSession, err error) {
		err = rows.Scan(&s.id, &s.parent, &s.kind, &s.title, &s.folder, &s.model, &s.created, &s.updated)
		return s, err
	}, forkedSessionsSQL, string(c.Session), int64(c.Seq))
	for _, s := range all {
		if s.parent == "" {
			s.title, s.created, s.updated = forkTitle(s.title), c.now.UnixMicro(), c.now.UnixMicro()
		}
		_, err := c.exec(insertSessionSQL, c.ids.of(s.id), string(c.Root), nullable(c.ids.of(s.parent)), s.kind, c.ids.of(s.title),
			c.ids.of(s.folder), s.model, s.created, s.updated)
		if err != nil {
			return nil, fmt.Errorf("session %s: %w", s.id, err)
		}
		ids = append(ids, s.id)
	}
	return ids, err
}

// forkTitle is the title of a fork of a session. That of a fork of a fork is not longer.
func forkTitle(title string) string {
	const is = "fork of "
	return words.Cut(is+strings.TrimPrefix(title, is), titleLength)
}

// paged calls each with the pages of a query that takes, last, where its page begins and how many rows
// it may have. each returns where the next one begins.
func paged[T any](read func(after int64) ([]T, error), each func(T) (at int64, err error)) error {
	for after := int64(math.MinInt64); ; {
		page, err := read(after)
		if err != nil {
			return err
		}
		for _, row := range page {
			if after, err = each(row); err != nil {
				return err
			}
		}
		if len(page) < forkPage {
			return nil
		}
	}
}
