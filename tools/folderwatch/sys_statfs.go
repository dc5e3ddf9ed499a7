//go:build darwin || freebsd

package folderwatch

import "golang.org/x/sys/unix"

// fileSystemWithoutTimes says why the times of a folder's files say nothing; empty: they do.
func fileSystemWithoutTimes(path string) (why string) {
	var stat unix.Statfs_t
	if err := unix.Statfs(path, &stat); err == nil && stat.Flags&unix.MNT_LOCAL == 0 {
		return "it is on a network file system"
	}
	return ""
}
