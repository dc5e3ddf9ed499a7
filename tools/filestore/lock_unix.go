//go:build !windows

package filestore

import (
	"errors"
	"os"
	"syscall"
)

// lock waits until no other process has the lock: each holds it for one write.
func lock(f *os.File) error { return flock(f, syscall.LOCK_EX) }

func unlock(f *os.File) error { return flock(f, syscall.LOCK_UN) }

func flock(f *os.File, how int) error {
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
