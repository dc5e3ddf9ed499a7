package store

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"pawl/internal/regular"
	"pawl/lifecycle"
)

// lockSuffix ends the names of lock files.
const lockSuffix = ".lock"

// lockPath is the path of a root session's lock file.
func (s *Store) lockPath(root lifecycle.SessionID) string {
	return filepath.Join(filepath.Dir(s.path), "locks", url.PathEscape(string(root))+lockSuffix)
}

// Holder reports whether a process, this one included, holds the Lock of a root
// session, and its pid, 0 if it has not been written yet. It asks the kernel, so a
// file left by a dead process does not count. It works on a read-only store.
//
// Testing such a leftover file holds a shared lock on it for some microseconds; a
// Lock at that moment retries.
func (s *Store) Holder(root lifecycle.SessionID) (pid int, held bool, err error) {
	f, err := regular.Open(s.lockPath(root))
	if errors.Is(err, os.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("look at the lock of session %s: %w", root, err)
	}
	defer f.Close() // the shared lock goes with it
	err = flock(f, lockShared)
	if err == nil {
		return 0, false, nil
	}
	if !errors.Is(err, syscall.EWOULDBLOCK) {
		return 0, false, fmt.Errorf("look at the lock of session %s: %w", root, err)
	}
	text, err := io.ReadAll(io.LimitReader(f, longestPID))
	if err != nil {
		return 0, true, fmt.Errorf("read the lock of session %s: %w", root, err)
	}
	pid, _ = strconv.Atoi(strings.TrimSpace(string(text))) // 0: it is about to be written
	return pid, true, nil
}

// inUse reports whether a process holds the Lock of any session: the write-ahead log is then at work,
// and not what a crash has left.
func (s *Store) inUse() bool {
	entries, err := os.ReadDir(filepath.Dir(s.lockPath("")))
	if err != nil {
		return false // none was ever taken
	}
	for _, entry := range entries {
		name, _ := strings.CutSuffix(entry.Name(), lockSuffix)
		root, err := url.PathUnescape(name)
		if err != nil {
			continue
		}
		if _, held, err := s.Holder(lifecycle.SessionID(root)); err == nil && held {
			return true
		}
	}
	return false
}
