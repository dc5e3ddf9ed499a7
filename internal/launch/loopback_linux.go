package launch

import (
	"syscall"
	"unsafe"
)

// raiseLoopback raises the loopback interface of the network namespace made for this helper, so
// that programs in it reach each other. In a new namespace it is down. If it is up the namespace
// is not a new one and gives no isolation: that is an error.
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
