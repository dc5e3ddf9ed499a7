//go:build !windows

package process

import "syscall"

// wakeUp lets a halted process go on.
const wakeUp = syscall.SIGCONT
