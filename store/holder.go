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

// lockPath is where the lock of a root session stands.
func (s *Store) lockPath(root lifecycle.SessionID) string {
	return filepath.Join(filepath.Dir(s.path), "locks", url.PathEscape(string(root))+".lock")
}

// Holder says whether some process, this one too, holds the Lock of a root session
// now, and which: 0 where it has not signed. It asks the kernel, so a file that a
// dead process left is nobody's lock. It works on a store that was opened to read.
//
// Looking at such a left file holds it, shared, for some microseconds: a Lock in
// that moment tries again.
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
	pid, _ = strconv.Atoi(strings.TrimSpace(string(text))) // 0: it is about to sign
	return pid, true, nil
}
