//go:build !windows

package host

import (
	"errors"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// StderrFD is the file descriptor of standard error.
const StderrFD = 2

// How LockFile locks: alone, once the file is free; alone, or not at all; with other
// readers, once nobody holds it alone.
const (
	LockWait   = unix.LOCK_EX                // alone, once it is free
	LockNow    = unix.LOCK_EX | unix.LOCK_NB // alone, or not at all
	LockShared = unix.LOCK_SH
)

// LockFile locks an open file until it is closed. With LockNow it fails where somebody
// else holds the lock.
func LockFile(file *os.File, how int) error {
	for {
		err := unix.Flock(int(file.Fd()), how)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// SignalSelf sends this process a signal.
func SignalSelf(s syscall.Signal) { _ = syscall.Kill(os.Getpid(), s) } // it is there

// BackgroundSignals are the signals that stop a process of the background.
func BackgroundSignals() []os.Signal { return []os.Signal{syscall.SIGTTOU, syscall.SIGTTIN} }

// Platform is the system and, where it tells, its kernel.
func Platform() string {
	text := runtime.GOOS + "/" + runtime.GOARCH
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		text += ", kernel " + unix.ByteSliceToString(name.Release[:])
	}
	return text
}

// CheckWritable says why something that is there cannot be written; nil where it can.
func CheckWritable(path string) error {
	const forWriting = 2
	return syscall.Access(path, forWriting)
}

// FreeSpace is what the disk of a folder still takes: bytes, and files; counted says that it
// counts files at all.
func FreeSpace(folder string) (free, files uint64, counted bool, err error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil {
		return 0, 0, false, err
	}
	free = uint64(max(0, int64(disk.Bavail))) * uint64(disk.Bsize) //nolint:gosec,unconvert,nolintlint // of another sort on each system
	files = uint64(max(0, int64(disk.Ffree)))                      //nolint:gosec,unconvert,nolintlint // as well
	return free, files, disk.Files > 0, nil
}
