//go:build !linux

package tools

import "syscall"

// processAttributes make a program the leader of a session, and so of a group, of
// its own. Here nothing kills it when Pawl dies: the guard does.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true}
}

// stray is a process group that must not be left.
type stray struct{ group int }

func (s stray) signal(signal syscall.Signal) { _ = syscall.Kill(-s.group, signal) }

// survivors finds what is left of a program in its own group. A process that has
// left the group is not found without /proc.
func survivors(leader int, _ string) []stray {
	if syscall.Kill(-leader, 0) != nil {
		return nil
	}
	return []stray{{group: leader}}
}
