package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
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
	Updated time.Time           `json:"updated"` // of a root: by itself or a subagent
	Runs    int                 `json:"runs"`    // its own, not those of its subagents
	Unread  int                 `json:"unread"`  // notifications not delivered to it yet
	// ForkedFrom is what a root was forked from; nil: it was begun.
	ForkedFrom *ForkedFrom `json:"forked_from,omitempty"`
}

// Filter narrows a list of sessions. The zero value lets all through.
type Filter struct {
	Folder    string // exactly this folder; empty for all
	RootsOnly bool
	Limit     int // at most so many, the newest; less than 1 for all
}

const (
	openSessionSQL = `INSERT INTO sessions (id, root, parent, type, title, folder, model, created, updated)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET model = iif(excluded.model <> '', excluded.model, model),
			title = iif(type = '' AND excluded.type <> '', excluded.title, title), type = iif(type = '', excluded.type, type)
		WHERE excluded.model <> '' OR type = '' AND excluded.type <> ''`

	touchSessionSQL = `UPDATE sessions SET updated = max(updated, ?) WHERE id = ?`

	sessionColumns = `SELECT s.id, s.root, coalesce(s.parent, ''), s.type, s.title, s.folder, s.model, s.created, s.updated,
		(SELECT count(*) FROM runs r WHERE r.session = s.id),
		` + unreadColumn + `, ` + forkedFromColumn + `
		FROM sessions s `

	// What the user ran themselves is news to the model alone.
	unreadColumn = `(SELECT count(*) FROM notifications n WHERE n.session = s.id AND n.state = 'pending' AND NOT EXISTS
			(SELECT 1 FROM runs r WHERE r.id = n.run AND r.data ->> '$.kind' = '` + string(lifecycle.KindShell) + `' AND r.data ->> '$.from' = '` + lifecycle.FromUser + `'))`

	forkedFromColumn = `coalesce((SELECT f.value FROM session_facts f WHERE f.session = s.id AND f.name = '` + FactForkedFrom + `'), '')`

	sessionsSQL = sessionColumns + `WHERE (?1 = '' OR s.folder = ?1) AND (NOT ?2 OR s.parent IS NULL)
		ORDER BY s.updated DESC, s.id DESC LIMIT ?3`
)

// openSession inserts the row of a session at its first run, and sets its model at
// every run. Where a root begins with a command of its user's own it has no run yet: its row
// is without a type then, and gets that and its title from its first run.
func (t *transaction) openSession(rec lifecycle.Record, spec lifecycle.Spec) error {
	at := rec.Time.UnixMicro()
	if spec.Parent == rec.Root && spec.ParentRun == "" {
		_, err := t.exec(openSessionSQL, string(rec.Root), string(rec.Root), nil, "", "!"+title(spec), spec.Folder, "", at, at)
		if err != nil {
			return fmt.Errorf("session %s: %w", rec.Root, err)
		}
	}
	_, err := t.exec(openSessionSQL, string(rec.Session), string(rec.Root), nullable(spec.Parent), spec.Type,
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
	if err := t.change(touchSessionSQL, at.UnixMicro(), string(session)); err != nil {
		return fmt.Errorf("session %s: %w", session, err)
	}
	return nil
}

// titleLength is how many runes of a first line make a title.
const titleLength = 80

// title is the description that the parent gave, or the beginning of the first prompt.
func title(spec lifecycle.Spec) string {
	text := cmp.Or(strings.TrimSpace(spec.Description), strings.TrimSpace(spec.Prompt))
	return words.Cut(words.FirstLine(text), titleLength)
}

func scanSession(rows *sql.Rows) (info SessionInfo, err error) { return scanSessionAnd(rows) }

// scanSessionAnd reads the columns of a session and, into more, those after them.
func scanSessionAnd(rows *sql.Rows, more ...any) (info SessionInfo, err error) {
	var created, updated int64
	var forked string
	err = rows.Scan(append([]any{
		&info.ID, &info.Root, &info.Parent, &info.Type, &info.Title, &info.Folder, &info.Model,
		&created, &updated, &info.Runs, &info.Unread, &forked,
	}, more...)...)
	if err == nil && forked != "" {
		err = json.Unmarshal([]byte(forked), &info.ForkedFrom)
	}
	info.Created, info.Updated = time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	return info, err
}

// Sessions lists sessions, most recently updated first. An empty list is not an error.
func (s *Store) Sessions(ctx context.Context, filter Filter) ([]SessionInfo, error) {
	infos, err := collect(ctx, s.read, scanSession, sessionsSQL, filter.Folder, filter.RootsOnly, sqlLimit(filter.Limit))
	return infos, s.fault(ctx, "list the sessions", err)
}
