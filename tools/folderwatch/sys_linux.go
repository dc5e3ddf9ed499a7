package folderwatch

import "golang.org/x/sys/unix"

// coarseNow is the clock by which the kernel says when files were changed: what is changed from
// now on is not older.
func coarseNow() int64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_REALTIME_COARSE, &now); err != nil {
		return fineNow() - tick
	}
	return now.Nano()
}

// isFAT says that a folder's file system tells no times by which changes could be told.
func isFAT(path string) bool {
	var stat unix.Statfs_t
	if err := unix.Statfs(path, &stat); err != nil {
		return false
	}
	kind := uint32(stat.Type) //nolint:gosec,nolintlint // the magic numbers have 32 bits
	return kind == unix.MSDOS_SUPER_MAGIC || kind == unix.EXFAT_SUPER_MAGIC
}
