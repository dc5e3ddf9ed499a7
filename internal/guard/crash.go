package guard

import (
	"fmt"
	"os"

	"pawl/internal/host"
	"pawl/internal/regular"
)

// CrashFile takes what Go and the libraries write to standard error when they give
// up: nobody is to see a stack trace. Pawl's own words go to a copy of what
// standard error was. All processes of Pawl share one file, and it is there only
// while it holds something or one of them runs.
type CrashFile struct {
	path string
	file *os.File // nil while there is no folder for it
}

// MoveStderr moves standard error to the crash file, and gives what it was. Until
// there is a folder for the file, what is written is lost.
func MoveStderr(path string) (*CrashFile, *os.File) {
	own, err := Duplicate(host.StderrFD)
	if err != nil {
		return nil, os.Stderr
	}
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		_ = Replace(host.StderrFD, int(null.Fd())) // else it stays the terminal
		null.Close()
	}
	c := &CrashFile{path: path}
	c.Open()
	return c, os.NewFile(uintptr(own), os.Stderr.Name())
}

// Open opens the file, if there is a folder for it now and it is not open yet, and
// says whether it did.
func (c *CrashFile) Open() bool {
	if c == nil || c.file != nil {
		return false
	}
	file, err := OpenCrashFile(c.path)
	if err != nil {
		return false
	}
	if Replace(host.StderrFD, int(file.Fd())) != nil {
		file.Close()
		return false
	}
	c.file = file
	return true
}

// OpenCrashFile opens the file with the lock that says that somebody has it open.
func OpenCrashFile(path string) (*os.File, error) {
	for {
		host.Rotate(path)
		file, err := regular.OpenWith(os.OpenFile, path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		if err = host.LockFile(file, host.LockShared); err != nil {
			file.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		info, err := file.Stat()
		if there, gone := os.Stat(path); err == nil && gone == nil && os.SameFile(info, there) {
			return file, nil
		}
		file.Close() // it was removed before the lock was there
	}
}

// size is how long the file is.
func (c *CrashFile) size() int64 {
	info, err := c.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// Close removes the file if nothing has ever been written to it and nobody else has
// it open.
func (c *CrashFile) Close() {
	if c == nil || c.file == nil || c.size() > 0 {
		return
	}
	if host.LockFile(c.file, host.LockNow) == nil {
		_ = os.Remove(c.path) // an empty file more does no harm
	}
}
