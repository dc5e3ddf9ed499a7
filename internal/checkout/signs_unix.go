//go:build unix

package checkout

import (
	"time"

	"golang.org/x/sys/unix"
)

// signs are what a file's system notes of it and nobody can forge: when it was changed, and which it is.
func signs(path string) (changed time.Time, inode uint64, err error) {
	var stat unix.Stat_t
	if err := unix.Lstat(path, &stat); err != nil {
		return time.Time{}, 0, err
	}
	return time.Unix(0, stat.Ctim.Nano()), uint64(stat.Ino), nil //nolint:unconvert,nolintlint // of another width on each system
}
