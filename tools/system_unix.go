//go:build !windows

package tools

import "syscall"

// wakeUp lets a halted process go on.
const wakeUp = syscall.SIGCONT
