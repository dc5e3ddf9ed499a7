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

// fileSystemWithoutTimes says why the times of a folder's files say nothing; empty: they do.
func fileSystemWithoutTimes(path string) (why string) {
	var stat unix.Statfs_t
	if err := unix.Statfs(path, &stat); err != nil {
		return ""
	}
	switch uint32(stat.Type) { //nolint:gosec,nolintlint // the magic numbers have 32 bits
	case unix.NFS_SUPER_MAGIC, unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.CODA_SUPER_MAGIC,
		unix.AFS_SUPER_MAGIC, unix.V9FS_MAGIC, unix.FUSE_SUPER_MAGIC, unix.OCFS2_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC:
		return "it is on a network file system"
	case unix.MSDOS_SUPER_MAGIC, unix.EXFAT_SUPER_MAGIC:
		return "it is on a FAT file system"
	}
	return ""
}
