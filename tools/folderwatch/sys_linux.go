package folderwatch

import "golang.org/x/sys/unix"

// fileNow is the time that the kernel would give a file that is changed now: no file that was changed
// before has a later one, and none that is changed from now on has an earlier one. Newer kernels give
// files finer times than any clock tells (since Linux 6.13), so a file is asked.
func fileNow() int64 {
	fd, err := unix.MemfdCreate("pawl-clock", unix.MFD_CLOEXEC)
	if err != nil {
		return clockNow()
	}
	defer unix.Close(fd) //nolint:errcheck // nothing is in it
	var stat unix.Stat_t
	if unix.Fstat(fd, &stat) != nil || unix.Fchmod(fd, 0o600) != nil || unix.Fstat(fd, &stat) != nil { // who is looked at gets a finer time
		return clockNow()
	}
	return stat.Ctim.Nano()
}

// clockNow is the clock by which older kernels say when files were changed.
func clockNow() int64 {
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
