package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"pawl/internal/words"
)

// The reasons why the store refuses. Test for them with errors.Is; the error
// itself is one line for people that names the thing and says what to do.
var (
	ErrDamaged   = errors.New("damaged database")         // or not a Pawl database; the file is left unchanged
	ErrNewer     = errors.New("database of a newer pawl") // which has changed the schema; the file is left unchanged
	ErrNetwork   = errors.New("network file system")      // the folder is on one
	ErrReadOnly  = errors.New("read-only database")       // it cannot be written, or was opened read-only
	ErrLocked    = errors.New("session in use")           // another process drives it; it can be read meanwhile
	ErrBusy      = errors.New("database busy")            // another process kept it locked for too long
	ErrFull      = errors.New("disk full")                // earlier writes are safe
	ErrDisk      = errors.New("disk error")               // or one of permissions; earlier writes are safe, the failed one may be on disk whole, or not at all
	ErrRefused   = errors.New("refused by the schema")    // the call wrote nothing
	ErrUnknown   = errors.New("no such session")
	ErrAmbiguous = errors.New("ambiguous session") // several match that name
)

// Fault is an error that tells people what to do. It wraps its Kind, one of the
// errors above, and its Cause.
type Fault struct {
	Kind  error
	Text  string // one line
	Cause error  // may be nil
}

func (f *Fault) Error() string { return f.Text }

// Unwrap returns the kind and the cause.
func (f *Fault) Unwrap() []error {
	if f.Cause == nil {
		return []error{f.Kind}
	}
	return []error{f.Kind, f.Cause}
}

func (s *Store) faultf(kind, cause error, format string, args ...any) error {
	return &Fault{Kind: kind, Text: fmt.Sprintf(format, args...), Cause: cause}
}

// SQLite's primary result codes that mean something to a person.
const (
	codeBusy       = 5
	codeLocked     = 6
	codeReadOnly   = 8
	codeInterrupt  = 9
	codeIOError    = 10
	codeCorrupt    = 11
	codeFull       = 13
	codeCannotOpen = 14
	codeConstraint = 19
	codeNotADB     = 26
)

// code returns SQLite's primary result code of an error, or 0 if it is not SQLite's.
func (s *Store) code(err error) int { return s.options.engine.code(err) & 0xff }

// unreadable reports that SQLite could not create the files beside the database
// that it needs even for reading.
func (s *Store) unreadable(err error) bool {
	c := s.code(err)
	return c == codeCannotOpen || c == codeReadOnly
}

// kind maps an error of the driver or the system to one of the errors above, or nil.
func (s *Store) kind(err error) error {
	switch s.code(err) {
	case codeCorrupt, codeNotADB:
		return ErrDamaged
	case codeFull:
		return ErrFull
	case codeBusy, codeLocked:
		return ErrBusy
	case codeReadOnly:
		return ErrReadOnly
	case codeConstraint:
		return ErrRefused
	case codeIOError, codeCannotOpen:
		return ErrDisk
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrFull
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return ErrReadOnly
	case errors.Is(err, syscall.EIO):
		return ErrDisk
	}
	return nil
}

// fault turns an error of the driver or the system into a line for people. act says
// what was being done, without the file: "append 12 records". The file comes last,
// because the screen has one line and cuts its end.
func (s *Store) fault(ctx context.Context, act string, err error) error {
	var known *Fault
	if err == nil || errors.As(err, &known) {
		return err
	}
	switch kind := s.kind(err); {
	case errors.Is(kind, ErrDamaged):
		return s.damaged(act, err)
	case errors.Is(kind, ErrFull):
		return s.faultf(kind, err, "%s: the disk is full: free some space and try again (%s)", act, s.path)
	case errors.Is(kind, ErrBusy):
		return s.faultf(kind, err, "%s: another process keeps the database busy: end it, or try again later (%s)", act, s.path)
	case errors.Is(kind, ErrReadOnly):
		return s.faultf(kind, err, "%s: the database cannot be written: %s (%s)", act, toRead, s.path)
	case errors.Is(kind, ErrRefused):
		return s.faultf(kind, err, "%s: refused by the database: %s (%s)", act, words.Line(err.Error()), s.path)
	case errors.Is(kind, ErrDisk):
		return s.faultf(kind, err, "%s: the disk reports an error: check that it has space and can be written, then try again (%s: %v)", act, s.path, reason(err))
	}
	if s.code(err) == codeInterrupt && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return fmt.Errorf("%s (%s): %w", act, s.path, err)
}

// toRead tells how to read a database that cannot be written.
const toRead = "its sessions can be read with pawl show ID and pawl export ID"

func (s *Store) damaged(act string, cause error) error {
	return s.faultf(ErrDamaged, cause,
		"%s: %s is damaged or not a Pawl database (%s): it is left as it is; move it away to start afresh, or replace it with a copy", act, s.path, words.Line(cause.Error()))
}

// readOnly is the error of a write to a store that was opened read-only.
func (s *Store) readOnly(act string) error {
	return s.faultf(ErrReadOnly, nil, "%s: %s was opened read-only", act, s.path)
}
