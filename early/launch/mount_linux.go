package launch

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

// Of mount_setattr(2), which keeps the other attributes of a mount as a user
// namespace must, and of capabilities(7).
const (
	sysMountSetattr  = 442
	atFolder         = -100   // AT_FDCWD
	atRecursive      = 0x8000 // AT_RECURSIVE
	mountReadOnly    = 1
	prDropFromBounds = 24
)

// mount puts in place what only mounts can do. A path that cannot be moved is a
// mount of itself: the kernel moves no mount points, nor removes them, so what is
// frozen cannot be shifted aside with a folder around it. Outer ones come first, as
// they stand in the lists.
//
// The folder that this process stands in is entered anew: until then it is the one
// below the mounts, where nothing is frozen.
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

// mountTerminals puts a new, empty set in the place of that of the system. Whoever may
// open a terminal may write to it whatever moves a cursor, sets a title or fills a
// clipboard, and read keys away.
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
	folder := atFolder
	_, _, number := syscall.RawSyscall6(sysMountSetattr, uintptr(folder), uintptr(unsafe.Pointer(name)), atRecursive,
		uintptr(unsafe.Pointer(&attributes)), unsafe.Sizeof(attributes), 0)
	if number != 0 {
		return number
	}
	return nil
}

// dangerous are the rights with which root undoes a confinement from inside: to
// mount, to load code into the kernel, to reach memory and disks past the files, to
// look into other processes, to open files without a path. Others than root have
// none of them.
var dangerous = []uint{
	2,  // DAC_READ_SEARCH
	16, // SYS_MODULE
	17, // SYS_RAWIO
	19, // SYS_PTRACE
	21, // SYS_ADMIN
	22, // SYS_BOOT
	27, // MKNOD
	38, // PERFMON
	39, // BPF
}

// dropDangerous takes those from this thread and from what it will execute.
func dropDangerous() error {
	if os.Getuid() != 0 {
		return nil
	}
	header := struct{ version, pid uint32 }{version: capabilityVersion3}
	var sets [2]struct{ effective, permitted, inheritable uint32 }
	if _, _, err := syscall.RawSyscall(syscall.SYS_CAPGET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&sets)), 0); err != 0 {
		return err
	}
	for _, right := range dangerous {
		// One that the kernel does not know, or that is not held to begin with, is no loss.
		_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, prDropFromBounds, uintptr(right), 0, 0, 0, 0)
		set := &sets[right/32]
		set.effective &^= 1 << (right % 32)
		set.permitted &^= 1 << (right % 32)
		set.inheritable &^= 1 << (right % 32)
	}
	if _, _, err := syscall.RawSyscall(syscall.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&sets)), 0); err != 0 {
		return err
	}
	return nil
}
