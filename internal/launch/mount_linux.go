package launch

import (
	"errors"
	"syscall"
	"unsafe"
)

// For mount_setattr(2), which keeps the other attributes of a mount, as a user namespace
// requires.
const (
	sysMountSetattr = 442
	atFDCWD         = -100   // AT_FDCWD
	atRecursive     = 0x8000 // AT_RECURSIVE
	mountReadOnly   = 1
)

// mount makes the mounts of Pin and Freeze. A pinned path becomes a bind mount of itself: the
// kernel neither moves nor removes mount points, so what is frozen cannot be moved aside with a
// folder around it. Outer paths come first in the lists.
//
// The working folder is entered again at the end: until then it is the one below the mounts,
// where nothing is frozen.
func (c *Confinement) mount() error {
	if c == nil {
		return nil
	}
	for _, path := range c.Pin {
		if err := bind(path); err != nil && !errors.Is(err, syscall.ENOENT) {
			return err
		}
	}
	for _, path := range c.Freeze {
		err := bind(path)
		if err == nil {
			err = setReadOnly(path)
		}
		if err != nil && !errors.Is(err, syscall.ENOENT) {
			return err
		}
	}
	if len(c.Pin)+len(c.Freeze) == 0 {
		return nil
	}
	buffer := make([]byte, syscall.PathMax)
	n, err := syscall.Getcwd(buffer)
	if err != nil {
		return err
	}
	return syscall.Chdir(string(buffer[:n-1]))
}

// mountTerminals replaces the system's pseudo-terminals by a new, empty set. A program that can
// open a terminal can write any escape sequence to it and read its keys.
func (c *Confinement) mountTerminals() error {
	if c == nil || !c.Terminals {
		return nil
	}
	const options = "newinstance,ptmxmode=0666,mode=0620"
	err := syscall.Mount("devpts", "/dev/pts", "devpts", syscall.MS_NOSUID|syscall.MS_NOEXEC, options)
	if errors.Is(err, syscall.ENOENT) { // there are none
		return nil
	}
	return err
}

func bind(path string) error {
	return syscall.Mount(path, path, "", syscall.MS_BIND|syscall.MS_REC, "")
}

func setReadOnly(path string) error {
	name, err := syscall.BytePtrFromString(path)
	if err != nil {
		return err
	}
	attributes := struct{ set, clear, propagation, namespace uint64 }{set: mountReadOnly}
	folder := atFDCWD
	_, _, number := syscall.RawSyscall6(sysMountSetattr, uintptr(folder), uintptr(unsafe.Pointer(name)), atRecursive,
		uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes), 0)
	if number != 0 {
		return number
	}
	return nil
}
