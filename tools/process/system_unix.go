//go:build !windows

package process

import "syscall"

// wakeUp lets a halted process go on.
const wakeUp = syscall.SIGCONT

// ownSession keeps a program from the end of this one's terminal.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
