//go:build unix

package rewind

import (
	"errors"
	"io/fs"
	"syscall"
)

// absent reports that nothing stands at a path: there is none, or it leads through a file.
func absent(err error) bool { return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) }
