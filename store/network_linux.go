package store

import (
	"bufio"
	"os"
	"strings"
	"syscall"
)

// remoteNames has the kernel's magic numbers of file systems whose locks or shared memory
// cannot be trusted between hosts; see statfs(2).
var remoteNames = map[uint32]string{
	0x6969: "nfs", 0x517b: "smb", 0xff534d42: "smb", 0xfe534d42: "smb",
	0x01021997: "9p", 0x5346414f: "afs", 0x00c36400: "ceph", 0x73757245: "coda",
}

const magicFUSE = 0x65735546

// NetworkFileSystem names the network file system that a folder is on, where Open would
// refuse a database; empty for one that is local or not known to be remote.
func NetworkFileSystem(folder string) (string, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return "", &os.PathError{Op: "statfs", Path: folder, Err: err}
	}
	magic := uint32(stat.Type) //nolint:gosec // the type's width differs by machine; the numbers have 32 bits
	if magic != magicFUSE {
		return networkName(magic, ""), nil
	}
	return networkName(magic, mountType(folder)), nil
}

// networkName names a file system by its magic number, and FUSE, which can be
// anything, by its mount type.
func networkName(magic uint32, mounted string) string {
	if magic != magicFUSE {
		return remoteNames[magic]
	}
	for _, remote := range []string{"virtiofs", "fuse.sshfs", "fuse.s3fs", "fuse.rclone", "fuse.glusterfs", "fuse.ceph", "fuse.davfs", "fuse.nfs", "fuse.smb", "fuse.cifs", "fuse.gcsfuse", "fuse.juicefs"} {
		if strings.HasPrefix(mounted, remote) {
			return mounted
		}
	}
	return ""
}

// mountType is the type of the mount that holds a folder, found by the longest mount
// point above it; empty if that cannot be read.
func mountType(folder string) string {
	f, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // it was only read
	var kind string
	var longest int
	for lines := bufio.NewScanner(f); lines.Scan(); {
		before, after, found := strings.Cut(lines.Text(), " - ")
		fields, types := strings.Fields(before), strings.Fields(after)
		if !found || len(fields) < 5 || len(types) == 0 {
			continue
		}
		point := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(fields[4])
		if within(folder, point) && len(point) >= longest { // of two on the same point the later hides the earlier
			kind, longest = types[0], len(point)
		}
	}
	return kind
}

func within(folder, point string) bool {
	return point == "/" || folder == point || strings.HasPrefix(folder, point+"/")
}
