package host

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Exists says whether something is there; what cannot be looked at is.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR)
}
