//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// apart gives a command a group of its own, which is interrupted as a whole: go test does not
// pass on what interrupts it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
}

// killed ends what is left of the group.
func killed(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
