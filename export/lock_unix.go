//go:build !windows

package export

import (
	"os"
	"syscall"
)

const noFollow = syscall.O_NOFOLLOW

// lock takes a file for itself, or fails at once.
func lock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
