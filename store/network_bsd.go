//go:build darwin || freebsd

package store

import (
	"os"
	"syscall"
)

// NetworkFileSystem names the network file system that a folder is on, where Open would
// refuse a database; empty for a local one.
func NetworkFileSystem(folder string) (string, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(folder, &stat); err != nil {
		return "", &os.PathError{Op: "statfs", Path: folder, Err: err}
	}
	const local = 0x1000 // MNT_LOCAL
	if stat.Flags&local != 0 {
		return "", nil
	}
	var name []byte
	for _, c := range stat.Fstypename {
		if c == 0 {
			break
		}
		name = append(name, byte(c))
	}
	return string(name), nil
}
