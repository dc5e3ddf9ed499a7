package launch

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// anyChild makes wait4 report children whatever signal they send at their end.
const anyChild = 0x40000000 // __WALL

var mechanisms = map[Mode]mechanism{
	Namespace: {
		prepare:    enterNamespace,
		attributes: syscall.SysProcAttr{Setsid: true},
		members:    func(int) []Stray { return list(listProcesses()) },
		killAll:    true,
		adopts:     true,
	},
	Subreaper: {
		prepare: becomeSubreaper,
		// If the helper dies nobody adopts orphans: then at least the command dies too.
		attributes: syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
		members:    func(int) []Stray { return descendants(os.Getpid()) },
		adopts:     true,
		samePID:    true,
	},
	Group: {
		prepare:    func(*Confinement) (string, error) { nameProcess(); return "", nil },
		attributes: syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
		members:    ownSurvivors,
		samePID:    true,
	},
}

// enterNamespace sets up a new PID namespace: its /proc shows its own processes. Mounts made
// here are not seen outside, but later mounts of the system are seen here.
func enterNamespace(c *Confinement) (string, error) {
	nameProcess()
	if os.Getpid() != 1 {
		return "namespace", syscall.EINVAL
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_SLAVE, ""); err != nil {
		return "mounts", err
	}
	if err := syscall.Mount("proc", "/proc", "proc", syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, ""); err != nil {
		return "proc", err
	}
	if err := c.mountTerminals(); err != nil {
		return StepTerminals, err
	}
	if err := c.mount(); err != nil {
		return StepFreeze, err
	}
	if err := c.hide(); err != nil {
		return StepHide, err
	}
	if err := c.enterAgain(); err != nil {
		return StepFreeze, err
	}
	if c != nil {
		dropBoundingSet() // which needs a capability that dropMountCapabilities drops
	}
	return stepCapabilities, dropMountCapabilities()
}

func becomeSubreaper(*Confinement) (string, error) {
	nameProcess()
	// The first call of FindProcess tests pidfds with a child of its own, which the reaper must
	// not see. So it is made here.
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Release()
	}
	if _, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0, 0); err != 0 {
		return "subreaper", err
	}
	return "", nil
}

// nameProcess sets the process name: the kernel has taken that of a link.
func nameProcess() {
	name := append([]byte(Name), 0)
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0, 0)
}

// releaseOutput closes the helper's output, so that its end means that no process can write any
// more.
func releaseOutput() {
	_ = syscall.Dup3(0, 1, 0)
	_ = syscall.Dup3(0, 2, 0)
}
