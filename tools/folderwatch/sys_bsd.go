//go:build darwin || freebsd

package folderwatch

import "golang.org/x/sys/unix"

// fileNow is a time that no file changed from now on is older than.
func fileNow() int64 { return fineNow() - tick }

// isFAT says that a folder's file system tells no times by which changes could be told.
func isFAT(path string) bool {
	var stat unix.Statfs_t
	if err := unix.Statfs(path, &stat); err != nil {
		return false
	}
	name := unix.ByteSliceToString(stat.Fstypename[:])
	return name == "msdos" || name == "msdosfs" || name == "exfat"
}
