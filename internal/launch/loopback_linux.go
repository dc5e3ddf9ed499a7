package launch

import (
	"syscall"
	"unsafe"
)

// raiseLoopback makes a network namespace that was made for this helper livable:
// programs in it reach each other. In a new one the loopback is down. One that is up
// is somebody else's, and what is to be closed would be open.
func (c *Confinement) raiseLoopback() error {
	if c == nil || !c.Loopback {
		return nil
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(fd) }()
	about := struct { // struct ifreq
		name  [16]byte
		flags uint16
		_     [22]byte
	}{name: [16]byte{'l', 'o'}}
	ask := func(what uintptr) error {
		if _, _, err := syscall.RawSyscall(syscall.SYS_IOCTL, uintptr(fd), what, uintptr(unsafe.Pointer(&about))); err != 0 {
			return err
		}
		return nil
	}
	if err := ask(syscall.SIOCGIFFLAGS); err != nil {
		return err
	}
	if about.flags&syscall.IFF_UP != 0 {
		return syscall.EEXIST
	}
	about.flags |= syscall.IFF_UP
	return ask(syscall.SIOCSIFFLAGS)
}
