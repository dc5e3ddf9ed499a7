package system

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Exists reports whether a path exists; one that cannot be looked at counts as existing.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}
