//go:build !linux

package launch

import "syscall"

const anyChild = 0

var ways = map[Mode]means{
	Group: {
		prepare:    func() (string, error) { return "", nil },
		attributes: syscall.SysProcAttr{Setsid: true},
		members:    ownSurvivors,
		ours:       true,
	},
}

// letGoOfOutput: that it is closed is to mean that nobody can write any more.
func letGoOfOutput() {
	_ = syscall.Dup2(0, 1)
	_ = syscall.Dup2(0, 2)
}
