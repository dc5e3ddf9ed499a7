package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"pawl/internal/regular"
	"pawl/lifecycle"
)

// Lock makes this the only process that drives a root session, until release is
// called or the process ends, however it ends: the kernel holds the lock. It does
// not wait. If the lock is taken, even by another Store of this process, the error
// is one line that wraps ErrLocked. A lock does not prevent reading. release may be
// called more than once.
func (s *Store) Lock(root lifecycle.SessionID) (release func(), err error) {
	act := "take the lock of session " + string(root)
	if s.write == nil {
		return nil, s.readOnly(act)
	}
	name := s.lockPath(root)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return nil, s.fault(context.Background(), act, err)
	}
	f, err := lockFile(name)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, s.locked(root, name)
	}
	if err != nil {
		return nil, s.fault(context.Background(), act, err)
	}
	return sync.OnceFunc(func() {
		_ = os.Remove(name) // while it is still locked; a file left behind locks nobody out
		_ = f.Close()       // the lock goes with it
	}), nil
}

// longestPID is how many bytes of a lock file are read.
const longestPID = 20

func (s *Store) locked(root lifecycle.SessionID, name string) error {
	who := ""
	if pid, err := regular.Read(name, longestPID); err == nil && len(pid) > 0 {
		who = " (process " + strings.TrimSpace(string(pid)) + ")"
	}
	return s.faultf(ErrLocked, nil, "another Pawl%s has session %s open: read it with pawl show %s", who, root, root)
}

// lockFile opens and locks the file, and writes this process's id into it. A holder
// removes the file when it releases the lock, so the file just locked may no longer
// have that name: then lockFile starts over.
func lockFile(name string) (*os.File, error) {
	for {
		f, err := regular.OpenWith(os.OpenFile, name, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		if err := flock(f, lockExclusive); err != nil {
			lookedAt := flock(f, lockShared) == nil // by Holder, which unlocks at once
			closed := f.Close()
			if lookedAt {
				continue
			}
			return nil, errors.Join(err, closed)
		}
		current, err := sameFile(f, name)
		if err == nil && current {
			err = writePID(f)
			if err == nil {
				return f, nil
			}
		}
		if closed := f.Close(); err != nil {
			return nil, errors.Join(err, closed)
		}
	}
}

func sameFile(f *os.File, name string) (bool, error) {
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	named, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(mine, named), err
}

func writePID(f *os.File) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}
