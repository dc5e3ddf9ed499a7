//go:build !windows

package launch

import "syscall"

func readFrom(fd int, into []byte) (int, error) { return syscall.Read(fd, into) }
