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
// kernel neither moves nor removes mount points, so what is frozen or hidden cannot be moved aside with
// a folder around it. Outer paths come first in the lists.
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
	return nil
}

// enterAgain enters the working folder again: until then it is the one below the mounts, where
// nothing is frozen.
func (c *Confinement) enterAgain() error {
	if c == nil || len(c.Pin)+len(c.Freeze)+len(c.Hide) == 0 {
		return nil
	}
	buffer := make([]byte, syscall.PathMax)
	n, err := syscall.Getcwd(buffer)
	if err != nil {
		return err
	}
	return syscall.Chdir(string(buffer[:n-1]))
}

// hide puts an empty folder or an empty file over each path of Hide.
func (c *Confinement) hide() error {
	if c == nil {
		return nil
	}
	for _, path := range c.Hide {
		var about syscall.Stat_t
		if syscall.Lstat(path, &about) != nil {
			continue // what Pawl cannot see the command cannot
		}
		err := cover(path, about.Mode&syscall.S_IFMT == syscall.S_IFDIR)
		if err != nil && !errors.Is(err, syscall.ENOENT) {
			return err
		}
	}
	return nil
}

func cover(path string, folder bool) error {
	if folder {
		return syscall.Mount("tmpfs", path, "tmpfs", syscall.MS_RDONLY|syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, "size=4k,mode=0555")
	}
	return syscall.Mount("/dev/null", path, "", syscall.MS_BIND, "")
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
