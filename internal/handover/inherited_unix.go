//go:build !windows

package handover

import "syscall"

func closeOnExec(fd int) { syscall.CloseOnExec(fd) }
