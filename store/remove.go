package store

import (
	"context"

	"pawl/lifecycle"
)

const (
	eraseFactSQL    = `DELETE FROM facts WHERE name = ?`
	eraseRecordsSQL = `DELETE FROM records WHERE root = ?`
	eraseRunsSQL    = `DELETE FROM runs WHERE root = ?`
	eraseRootSQL    = `DELETE FROM sessions WHERE id = ? AND root = id`
)

// Remove deletes a root session and all of its subagents for good: their log,
// transcripts and grants, the named facts, and the bytes of all that in the file. What
// it has cost stays in the sums of the days, without its id.
// The error is ErrUnknown if there is no such root, and ErrLocked while a process,
// this one included, holds its lock.
func (s *Store) Remove(ctx context.Context, root lifecycle.SessionID, facts ...string) error {
	act := "remove session " + string(root)
	if s.write == nil {
		return s.readOnly(act)
	}
	release, err := s.Lock(root)
	if err != nil {
		return err
	}
	defer release()
	if err := s.pragma(ctx, "secure_delete = on"); err != nil { // overwrite freed pages too
		return s.fault(ctx, act, err)
	}
	err = s.transact(ctx, act, func(t *transaction) error { return s.erase(t, root, facts) })
	ctx = context.WithoutCancel(ctx)
	if failed := s.pragma(ctx, "secure_delete = fast"); err == nil && failed != nil {
		err = s.fault(ctx, act, failed)
	}
	if err != nil {
		return err
	}
	for _, pragma := range []string{"incremental_vacuum", "wal_checkpoint(truncate)"} {
		err := s.pragma(ctx, pragma)
		if err != nil && s.code(err) != codeBusy { // a reader is in the way: a later checkpoint does it
			return s.fault(ctx, "session "+string(root)+" is removed, but its bytes may stand in the file until the next removal", err)
		}
	}
	return nil
}

func (s *Store) erase(t *transaction, root lifecycle.SessionID, facts []string) error {
	for _, name := range facts {
		if _, err := t.exec(eraseFactSQL, name); err != nil {
			return err
		}
	}
	if err := t.hideCosts(root); err != nil {
		return err
	}
	if _, err := t.exec(eraseRecordsSQL, string(root)); err != nil {
		return err
	}
	if _, err := t.exec(eraseRunsSQL, string(root)); err != nil { // their notifications go along
		return err
	}
	gone, err := t.exec(eraseRootSQL, string(root)) // subagents, transcripts and grants go along
	if err == nil && gone == 0 {
		return s.faultf(ErrUnknown, nil, "remove session %s: there is no root session of that id in %s", root, s.path)
	}
	return err
}

// pragma runs a pragma on the writing connection. Some return rows, and are done
// only when all of these are read.
func (s *Store) pragma(ctx context.Context, text string) error {
	rows, err := s.write.QueryContext(ctx, "PRAGMA "+text)
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	if err := rows.Err(); err != nil {
		_ = rows.Close() // the first error tells why
		return err
	}
	return rows.Close()
}
