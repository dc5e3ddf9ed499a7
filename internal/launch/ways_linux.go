package launch

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// anyChild waits for children whatever signal their end sends.
const anyChild = 0x40000000 // __WALL

var ways = map[Mode]means{
	Namespace: {
		prepare:    enterNamespace,
		attributes: syscall.SysProcAttr{Setsid: true},
		members:    func(int) []Stray { return list(processes()) },
		everybody:  true,
		adopts:     true,
	},
	Subreaper: {
		prepare: becomeSubreaper,
		// Without the helper nobody adopts: then at least the command dies too.
		attributes: syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
		members:    func(int) []Stray { return descendants(os.Getpid()) },
		adopts:     true,
		ours:       true,
	},
	Group: {
		prepare:    func(*Confinement) (string, error) { nameProcess(); return "", nil },
		attributes: syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
		members:    ownSurvivors,
		ours:       true,
	},
}

// enterNamespace makes a new PID namespace livable: its /proc shows its own
// processes. Whatever is mounted here is seen nowhere else, but what the system
// mounts meanwhile is seen here.
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
	if c != nil {
		limitBounds() // for which the right is lent too
	}
	return stepRights, giveBack()
}

func becomeSubreaper(*Confinement) (string, error) {
	nameProcess()
	// The first of these looks whether processes can be held by descriptor, with a
	// child of its own that the reaper must not see.
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Release()
	}
	if _, _, err := syscall.RawSyscall6(syscall.SYS_PRCTL, unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0, 0); err != 0 {
		return "subreaper", err
	}
	return "", nil
}

// nameProcess says in lists of processes what this is: the name that the kernel
// took is that of a link.
func nameProcess() {
	name := append([]byte(Name), 0)
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0, 0)
}

// letGoOfOutput: that it is closed is to mean that nobody can write any more.
func letGoOfOutput() {
	_ = syscall.Dup3(0, 1, 0)
	_ = syscall.Dup3(0, 2, 0)
}
