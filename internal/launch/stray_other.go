//go:build !linux && !windows

package launch

import "syscall"

// Stray is a process group that must not be left behind.
type Stray struct{ group int }

// Signal sends a signal to the whole group.
func (s Stray) Signal(signal syscall.Signal) { _ = syscall.Kill(-s.group, signal) }

type signalled struct{}

func signalAll(groups []Stray, signal syscall.Signal, _ signalled) {
	for _, group := range groups {
		group.Signal(signal)
	}
}

// Survivors finds the group of a command that has ended, if it still has members. Without /proc,
// processes that left the group are not found.
func Survivors(command int, _ string) []Stray {
	if command <= 0 || syscall.Kill(-command, 0) != nil {
		return nil
	}
	return []Stray{{group: command}}
}
