//go:build !linux && !windows

package launch

import "syscall"

const anyChild = 0

var ways = map[Mode]means{
	Group: {
		prepare:    func(*Confinement) (string, error) { return "", nil },
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

// LandlockVersion says that there is none.
func LandlockVersion() (int, error) { return 0, syscall.ENOSYS }

// restrict fails where anything is asked for: this system has none of it.
func (c *Confinement) restrict() (string, error) {
	if c == nil {
		return "", nil
	}
	return StepLandlock, syscall.ENOSYS
}

// FilterPossible says that there is none.
func FilterPossible() error { return syscall.ENOSYS }

// raiseLoopback fails where it is asked for.
func (c *Confinement) raiseLoopback() error {
	if c == nil || !c.Loopback {
		return nil
	}
	return syscall.ENOSYS
}
