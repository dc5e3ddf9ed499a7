//go:build !windows

package system

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// StderrFD is the file descriptor of standard error.
const StderrFD = 2

// How LockFile locks.
const (
	LockWait   = unix.LOCK_EX                // exclusive; waits until it is free
	LockNow    = unix.LOCK_EX | unix.LOCK_NB // exclusive; fails if it is not free
	LockShared = unix.LOCK_SH
)

// LockFile locks an open file until it is closed. LockNow fails if somebody else holds a lock.
func LockFile(file *os.File, how int) error {
	for {
		err := unix.Flock(int(file.Fd()), how)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// SignalSelf sends this process a signal.
func SignalSelf(s syscall.Signal) { _ = syscall.Kill(os.Getpid(), s) } // this process exists

// Suspend stops this process group, as Ctrl+Z does in line mode, and returns when it goes on, or
// when ctx has ended meanwhile.
func Suspend(ctx context.Context) error {
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-goesOn:
	case <-ctx.Done():
	}
	return nil
}

// BackgroundSignals are the signals that stop a background process.
func BackgroundSignals() []os.Signal { return []os.Signal{syscall.SIGTTOU, syscall.SIGTTIN} }

// Platform names the system and, if known, its kernel.
func Platform() string {
	text := runtime.GOOS + "/" + runtime.GOARCH
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		text += ", kernel " + unix.ByteSliceToString(name.Release[:])
	}
	return text
}

// readNow reads what a pipe holds, and waits for nothing.
func readNow(fd uintptr, to []byte) int {
	n, err := syscall.Read(int(fd), to)
	if err != nil {
		return 0
	}
	return n
}

// CheckWritable returns why an existing path cannot be written, or nil if it can.
func CheckWritable(path string) error {
	const forWriting = 2
	return syscall.Access(path, forWriting)
}

// FreeSpace returns the free bytes and inodes on a folder's disk; counted reports whether it has
// inodes to count.
func FreeSpace(folder string) (free, files uint64, counted bool, err error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil {
		return 0, 0, false, err
	}
	free = uint64(max(0, int64(disk.Bavail))) * uint64(disk.Bsize) //nolint:gosec,unconvert,nolintlint // the types differ by system
	files = uint64(max(0, int64(disk.Ffree)))                      //nolint:gosec,unconvert,nolintlint // as well
	return free, files, disk.Files > 0, nil
}
