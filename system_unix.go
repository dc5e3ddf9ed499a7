//go:build !windows

package main

import (
	"errors"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

const standardError = 2

// How a file is locked.
const (
	waiting = unix.LOCK_EX                // alone, once it is free
	atOnce  = unix.LOCK_EX | unix.LOCK_NB // alone, or not at all
	shared  = unix.LOCK_SH
)

func lockFile(file *os.File, how int) error {
	for {
		err := unix.Flock(int(file.Fd()), how)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// tellItself sends this process a signal.
func tellItself(s syscall.Signal) { _ = syscall.Kill(os.Getpid(), s) } // it is there

// ofTheBackground are the signals that stop a process of the background.
func ofTheBackground() []os.Signal { return []os.Signal{syscall.SIGTTOU, syscall.SIGTTIN} }

// platform is the system and, where it tells, its kernel.
func platform() string {
	text := runtime.GOOS + "/" + runtime.GOARCH
	var name unix.Utsname
	if unix.Uname(&name) == nil {
		text += ", kernel " + unix.ByteSliceToString(name.Release[:])
	}
	return text
}

// writable says why something that is there cannot be written; nil where it can.
func writable(path string) error {
	const forWriting = 2
	return syscall.Access(path, forWriting)
}

// freeOn is what the disk of a folder still takes: bytes, and files; counted says that it
// counts files at all.
func freeOn(folder string) (free, files uint64, counted bool, err error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil {
		return 0, 0, false, err
	}
	free = uint64(max(0, int64(disk.Bavail))) * uint64(disk.Bsize) //nolint:gosec,unconvert,nolintlint // of another sort on each system
	files = uint64(max(0, int64(disk.Ffree)))                      //nolint:gosec,unconvert,nolintlint // as well
	return free, files, disk.Files > 0, nil
}
