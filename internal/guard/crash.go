package guard

import (
	"fmt"
	"os"

	"pawl/internal/regular"
	"pawl/internal/system"
)

// CrashFile receives what Go and libraries write to standard error when they crash, so that
// nobody sees a stack trace. Pawl's own messages go to a copy of the original standard error.
// All processes of Pawl share one file; it exists only while it has content or one of them runs.
type CrashFile struct {
	path string
	file *os.File // nil while there is no folder for it
}

// MoveStderr redirects standard error to the crash file and returns the original. Until the
// file's folder exists, what is written is lost.
func MoveStderr(path string) (*CrashFile, *os.File) {
	own, err := Duplicate(system.StderrFD)
	if err != nil {
		return nil, os.Stderr
	}
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		_ = Replace(system.StderrFD, int(null.Fd())) // on failure it stays the terminal
		null.Close()
	}
	c := &CrashFile{path: path}
	c.Open()
	return c, os.NewFile(uintptr(own), os.Stderr.Name())
}

// Open opens the file if its folder exists by now and it is not open yet, and reports whether it
// did.
func (c *CrashFile) Open() bool {
	if c == nil || c.file != nil {
		return false
	}
	file, err := OpenCrashFile(c.path)
	if err != nil {
		return false
	}
	if Replace(system.StderrFD, int(file.Fd())) != nil {
		file.Close()
		return false
	}
	c.file = file
	return true
}

// OpenCrashFile opens the file with the shared lock that shows that it is in use.
func OpenCrashFile(path string) (*os.File, error) {
	for {
		system.Rotate(path)
		file, err := regular.OpenWith(os.OpenFile, path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		if err = system.LockFile(file, system.LockShared); err != nil {
			file.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		info, err := file.Stat()
		if there, gone := os.Stat(path); err == nil && gone == nil && os.SameFile(info, there) {
			return file, nil
		}
		file.Close() // it was removed before it was locked
	}
}

// size is the length of the file in bytes, 0 if it cannot be told.
func (c *CrashFile) size() int64 {
	info, err := c.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// Close removes the file if it is empty and no other process has it open.
func (c *CrashFile) Close() {
	if c == nil || c.file == nil || c.size() > 0 {
		return
	}
	if system.LockFile(c.file, system.LockNow) == nil {
		_ = os.Remove(c.path) // a leftover empty file does no harm
	}
}
