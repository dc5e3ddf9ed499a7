//go:build !linux && !windows

package launch

import "syscall"

// Stray is a process group that must not be left.
type Stray struct{ group int }

// Signal reaches the whole group.
func (s Stray) Signal(signal syscall.Signal) { _ = syscall.Kill(-s.group, signal) }

type sent struct{}

func signalAll(groups []Stray, signal syscall.Signal, _ sent) {
	for _, group := range groups {
		group.Signal(signal)
	}
}

// Survivors finds what is left of a command in its own group. A process that has
// left the group is not found without /proc.
func Survivors(command int, _ string) []Stray {
	if command <= 0 || syscall.Kill(-command, 0) != nil {
		return nil
	}
	return []Stray{{group: command}}
}
