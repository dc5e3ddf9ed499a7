//go:build !windows

package store

import (
	"errors"
	"os"
	"syscall"
)

const (
	lockShared    = syscall.LOCK_SH
	lockExclusive = syscall.LOCK_EX
)

// access returns the reason why a file cannot be used in this way, or nil.
func access(path string, how uint32) error { return syscall.Access(path, how) }

// flock takes a shared or exclusive lock without waiting for it.
func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
