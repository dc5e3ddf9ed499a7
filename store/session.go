package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// SessionInfo is one line of a list of sessions.
type SessionInfo struct {
	ID      lifecycle.SessionID `json:"session"`
	Root    lifecycle.SessionID `json:"root"`
	Parent  lifecycle.SessionID `json:"parent,omitempty"` // empty: this is a root
	Type    string              `json:"type,omitempty"`
	Title   string              `json:"title"`
	Folder  string              `json:"folder"`
	Model   string              `json:"model"` // of its newest run
	Created time.Time           `json:"created"`
	Updated time.Time           `json:"updated"` // a root's with its subagents'
	Runs    int                 `json:"runs"`    // its own, not those of its subagents
	Unread  int                 `json:"unread"`  // notifications that it is owed
}

// Filter narrows a list of sessions. The zero value lets all through.
type Filter struct {
	Folder    string // exactly this one
	RootsOnly bool
	Limit     int // the newest so many; less than 1: all
}

const (
	openSessionSQL = `INSERT INTO sessions (id, root, parent, type, title, folder, model, created, updated)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET model = excluded.model WHERE excluded.model <> ''`

	touchSessionSQL = `UPDATE sessions SET updated = max(updated, ?) WHERE id = ?`

	sessionColumns = `SELECT s.id, s.root, coalesce(s.parent, ''), s.type, s.title, s.folder, s.model, s.created, s.updated,
		(SELECT count(*) FROM runs r WHERE r.session = s.id),
		(SELECT count(*) FROM notifications n WHERE n.session = s.id AND n.state = 'pending')
		FROM sessions s `

	sessionsSQL = sessionColumns + `WHERE (?1 = '' OR s.folder = ?1) AND (NOT ?2 OR s.parent IS NULL)
		ORDER BY s.updated DESC, s.id DESC LIMIT ?3`
)

// openSession makes the row of a session with its first run, and notes the model
// of every one.
func (t *transaction) openSession(rec lifecycle.Record, spec lifecycle.Spec) error {
	at := rec.Time.UnixMicro()
	_, err := t.exec(t.do.openSession, string(rec.Session), string(rec.Root), nullable(spec.Parent), spec.Type,
		title(spec), spec.Folder, spec.Model, at, at)
	if err != nil {
		return fmt.Errorf("session %s: %w", rec.Session, err)
	}
	if spec.Parent == "" && spec.Model != "" {
		return t.setFact(factLastModel, spec.Model)
	}
	return nil
}

func (t *transaction) touchSession(session lifecycle.SessionID, at time.Time) error {
	changed, err := t.exec(t.do.touchSession, at.UnixMicro(), string(session))
	if err == nil && changed == 0 {
		err = missing("it")
	}
	if err != nil {
		return fmt.Errorf("session %s: %w", session, err)
	}
	return nil
}

// titleLength is how much of a first line makes a title.
const titleLength = 80

// title is what a list calls a session: what its parent called it, or how the
// first prompt begins.
func title(spec lifecycle.Spec) string {
	text := strings.TrimSpace(spec.Description)
	if text == "" {
		text = strings.TrimSpace(spec.Prompt)
	}
	return words.Cut(words.FirstLine(text), titleLength)
}

func scanSession(rows *sql.Rows) (info SessionInfo, err error) { return scanSessionAnd(rows) }

// scanSessionAnd reads the columns of a session, and what else stands in the row.
func scanSessionAnd(rows *sql.Rows, more ...any) (info SessionInfo, err error) {
	var created, updated int64
	err = rows.Scan(append([]any{&info.ID, &info.Root, &info.Parent, &info.Type, &info.Title, &info.Folder, &info.Model,
		&created, &updated, &info.Runs, &info.Unread}, more...)...)
	info.Created, info.Updated = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	return info, err
}

// Sessions lists sessions, the one that moved last first. None, no error.
func (s *Store) Sessions(ctx context.Context, filter Filter) ([]SessionInfo, error) {
	infos, err := collect(ctx, s.read, scanSession, sessionsSQL, filter.Folder, filter.RootsOnly, atMost(filter.Limit))
	return infos, s.fault(ctx, "list the sessions", err)
}
