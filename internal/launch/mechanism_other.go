//go:build !linux && !windows

package launch

import "syscall"

const anyChild = 0

var mechanisms = map[Mode]mechanism{
	Group: {
		prepare:    func(*Confinement) (string, error) { return "", nil },
		attributes: syscall.SysProcAttr{Setsid: true},
		members:    ownSurvivors,
		samePID:    true,
	},
}

// releaseOutput closes the helper's output, so that its end means that no process can write any
// more.
func releaseOutput() {
	_ = syscall.Dup2(0, 1)
	_ = syscall.Dup2(0, 2)
}

// LandlockVersion returns ENOSYS.
func LandlockVersion() (int, error) { return 0, syscall.ENOSYS }

// restrict fails for any confinement: this system has no means for it.
func (c *Confinement) restrict() (string, error) {
	if c == nil {
		return "", nil
	}
	return StepLandlock, syscall.ENOSYS
}

// FilterPossible returns ENOSYS.
func FilterPossible() error { return syscall.ENOSYS }

// raiseLoopback fails if a loopback is asked for.
func (c *Confinement) raiseLoopback() error {
	if c == nil || !c.Loopback {
		return nil
	}
	return syscall.ENOSYS
}
