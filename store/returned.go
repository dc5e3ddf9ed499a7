package store

import (
	"context"
	"strconv"

	"pawl/lifecycle"
)

// factReturned begins the name of the session fact of a message that has come back to its user and
// stands in no line yet; its id follows. The value is the number of the record that says so.
const factReturned = "returned:"

const (
	// Without what came back when a fork found that it had been cut off: its writer has that in the original.
	returnedSQL = `SELECT r.root, r.seq, r.time, r.session, r.run, r.event, r.data, r.request
		FROM sessions s
		JOIN session_facts f ON f.session = s.id AND f.name > '` + factReturned + `' AND f.name < 'returned;'
		JOIN records r ON r.root = s.root AND r.seq = CAST(f.value AS INTEGER)
		JOIN runs u ON u.id = r.run
		WHERE s.root = ?1 AND u.spawned >=
			coalesce((SELECT json_extract(value, '$.seq') FROM session_facts WHERE session = ?1 AND name = '` + FactForkedFrom + `'), 0)
		ORDER BY r.seq`

	eraseSessionFactSQL = `DELETE FROM session_facts WHERE session = ? AND name = ?`
)

// noteReturned notes a message that comes back to its user.
func (t *transaction) noteReturned(rec lifecycle.Record) error {
	back, is := rec.Event.(lifecycle.MessageWithdrawn)
	if !is || !back.Returned || back.From != lifecycle.FromUser {
		return nil
	}
	_, err := t.exec(setSessionFactSQL, string(rec.Session), factReturned+string(back.Message), strconv.FormatInt(int64(rec.Seq), 10))
	return err
}

// Returned reads, in order, the records of messages to a root session and its subagents that have
// come back to their user, and of which no SetDraft has said that a line holds them.
func (s *Store) Returned(ctx context.Context, root lifecycle.SessionID) ([]lifecycle.Record, error) {
	records, err := collect(ctx, s.read, scanRecord, returnedSQL, string(root))
	return records, s.fault(ctx, "read which messages to session "+string(root)+" came back", err)
}

// Draft is a text that was typed to a session and not sent.
type Draft struct {
	Session lifecycle.SessionID
	Fact    string // the name of the fact that keeps it
	Shared  bool   // the fact belongs to no session, and Value is that of all that share it
	Value   string
	Back    []lifecycle.MessageID // messages that had come back to the session's user and that its line has taken
}

// SetDraft keeps a draft. In the same transaction its messages are settled: Returned does not give
// them again.
func (s *Store) SetDraft(ctx context.Context, d Draft) error {
	return s.transact(ctx, "keep what is typed to session "+string(d.Session), func(t *transaction) error {
		for _, message := range d.Back {
			if _, err := t.exec(eraseSessionFactSQL, string(d.Session), factReturned+string(message)); err != nil {
				return err
			}
		}
		if d.Shared {
			return t.setFact(d.Fact, d.Value)
		}
		_, err := t.exec(setSessionFactSQL, string(d.Session), d.Fact, d.Value)
		return err
	})
}
